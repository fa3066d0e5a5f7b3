package dev.offcut.cli.run;

import dev.offcut.cli.source.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory of its own for one run: what the program's Flight Recorder writes while it runs, and
 * the recording it leaves at its end. Closing it deletes all, and so does the end of this JVM.
 */
final class Workspace implements AutoCloseable {
  private static final String BEGIN = "recording-";
  private static final String END = ".jfr";
  private static final Pattern OF_PROCESS =
      Pattern.compile("(?:" + BEGIN + ")?([0-9]+)(?:\\.jfr|\\.tables)");

  private final Path folder;
  private final Thread atExit = new Thread(this::delete);

  Workspace() throws IOException {
    folder = Files.createTempDirectory("offcut-run");
    Files.createDirectory(accounts());
    Files.createDirectory(tables());
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Through it the agents ask for accounts. */
  Path accounts() {
    return folder.resolve("accounts");
  }

  /** Where the agents publish their tables. */
  Path tables() {
    return folder.resolve("tables");
  }

  /** Those of a JVM; of any if it is -1, the last that was written. */
  Optional<Path> tablesOf(long pid) {
    return list(tables()).stream()
        .filter(file -> pid < 0 || file.endsWith(pid + Tables.ENDING))
        .max(Comparator.comparingLong(Workspace::ended));
  }

  /** The process whose recording it is, by its name; -1 of any other file. */
  static long pidOf(Path recording) {
    String name = String.valueOf(recording.getFileName());
    Matcher matcher = OF_PROCESS.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  /** Below it each JVM has a directory of its own. */
  Path repository() {
    return folder.resolve("repository");
  }

  /** That of a JVM; there is none before its recorder began. */
  Optional<Path> repositoryOf(long pid) {
    String end = "_" + pid;
    return list(repository()).stream()
        .filter(directory -> String.valueOf(directory.getFileName()).endsWith(end))
        .findFirst();
  }

  /** The one to show, of a command that may start several JVMs: the first. */
  Optional<Path> anyRepository() {
    return list(repository()).stream().filter(Files::isDirectory).findFirst();
  }

  /** Where the agent leaves the recording of each JVM: it knows its own PID. */
  String agentsRecording() {
    return folder.resolve(BEGIN + "%p" + END).toString();
  }

  /** That of a JVM; or where it is to be. */
  Path recordingOf(long pid) {
    return folder.resolve(BEGIN + pid + END);
  }

  /** What JVMs left, the last that ended first. */
  List<Path> recordings() {
    return list(folder).stream()
        .filter(Workspace::isRecording)
        .sorted(Comparator.comparingLong(Workspace::ended).reversed())
        .toList();
  }

  private static boolean isRecording(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(BEGIN) && name.endsWith(END) && file.toFile().length() > 0;
  }

  private static long ended(Path file) {
    return file.toFile().lastModified();
  }

  /** What was left of one that was not written, or not in full. */
  Path joined() {
    return folder.resolve("joined.jfr");
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      return List.of(); // not yet there
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    delete();
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(Workspace::delete);
    } catch (IOException | UncheckedIOException e) {
      // left to the system, as all in its folder for temporary files
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
