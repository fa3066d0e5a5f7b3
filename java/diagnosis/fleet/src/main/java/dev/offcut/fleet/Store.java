package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/**
 * Where the files of a fleet are: a folder, or an object store. Names are relative, with slashes. A
 * file appears as a whole or not at all, and is never changed. Any thread may call.
 */
public interface Store {
  /** Begins the names of files that are not there yet; no engine reads such files. */
  String UNFINISHED = ".unfinished-";

  /** What is not a folder, though it may be an S3. */
  Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):/+.*");

  /**
   * The store at a place, which does not have to be there yet.
   *
   * @param place a folder, or {@code s3://BUCKET/PREFIX}
   */
  static Store at(String place) throws Failure {
    if (!URL.matcher(place).matches()) {
      return new FolderStore(Path.of(place));
    }
    if (!place.startsWith(S3Place.SCHEME)) {
      throw Failure.of(ExitCode.USAGE, place + " is neither a folder nor s3://BUCKET/PATH");
    }
    S3Place bucket = S3Place.of(place);
    Cluster cluster =
        ServiceLoader.load(Cluster.class, Cluster.class.getClassLoader()).findFirst().orElse(null);
    return cluster == null ? S3Store.open(bucket) : cluster.store(bucket);
  }

  /** As it was given: for people. */
  String place();

  /** The same for a program that runs in another folder, or on another machine. */
  String absolute();

  /** Refuses what cannot be a fleet, with a sentence about how one is made. */
  void check() throws Failure;

  /** Makes it, if it can be made. */
  void make() throws Failure;

  /** The names at its top, folders among them, but not those of unfinished files. */
  List<String> top() throws Failure;

  /** The names of all files below a folder, in order; none if there is no such folder. */
  List<String> files(String folder) throws Failure;

  /** What a small file says; null if it is not there. */
  @Nullable String text(String name) throws Failure;

  /** Whether a file is there now. */
  boolean isThere(String name) throws Failure;

  /** The size of a file that was listed; 0 if it is not there any more. */
  long bytes(String name);

  /** When a file that was listed was written, in ms since 1970; 0 if it is not there any more. */
  long changedMs(String name);

  /** A file of this machine, to write to before {@link #put}. Whoever asked for it deletes it. */
  Path unfinished() throws Failure;

  /** Gives a finished file its name. Another of that name has the same rows. */
  void put(Path finished, String name) throws Failure;

  /** Deletes a file, if it is there. */
  void delete(String name) throws Failure;

  /** Deletes files that were begun before a time, and never got their name. */
  void deleteUnfinished(long beforeMs) throws Failure;

  /** Files of this machine with the content of these, in the same order, to be read only. */
  List<Path> local(List<String> names) throws Failure;
}
