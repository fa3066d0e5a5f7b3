package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What one process left: the archive of its run, its recording, or both.
 *
 * @param files the archive or the tables first, then recordings by name
 */
public record Source(List<Path> files) {
  private static final List<String> ENDINGS = List.of(".offcut", ".tables", ".jfr");

  /** For people. */
  public String name() {
    return String.valueOf(files.getFirst().getFileName());
  }

  /** The size of its files together. */
  public long bytes() {
    return files.stream().mapToLong(file -> file.toFile().length()).sum();
  }

  /**
   * The sources among files and folders. Files of the same folder that have the same name but for
   * the ending are of one run.
   */
  public static List<Source> of(List<Path> given) throws Failure {
    TreeSet<Path> files = new TreeSet<>();
    for (Path path : given) {
      if (Files.isDirectory(path)) {
        files.addAll(below(path));
      } else if (Files.exists(path)) {
        files.add(path.toAbsolutePath().normalize());
      } else {
        throw Failure.unreadable(
            "there is no "
                + path
                + "; SRC is the file of a run (*.offcut), a recording (*.jfr), or a folder of"
                + " them");
      }
    }
    Map<String, List<Path>> byRun = new TreeMap<>();
    for (Path file : files) {
      byRun.computeIfAbsent(run(file), made -> new ArrayList<>()).add(file);
    }
    List<Source> all = new ArrayList<>();
    for (List<Path> run : byRun.values()) {
      run.sort((one, other) -> Integer.compare(ending(one), ending(other)));
      all.add(new Source(withoutTables(run)));
    }
    return all;
  }

  /** An archive has the tables of the run. */
  private static List<Path> withoutTables(List<Path> run) {
    return ending(run.getFirst()) != 0
        ? List.copyOf(run)
        : run.stream().filter(file -> ending(file) != 1).toList();
  }

  private static List<Path> below(Path folder) throws Failure {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> files =
          all.filter(file -> ending(file) < ENDINGS.size() && Files.isRegularFile(file))
              .map(file -> file.toAbsolutePath().normalize())
              .toList();
      if (files.isEmpty()) {
        throw Failure.unreadable(
            "no file of a run (*.offcut) and no recording (*.jfr) lies below " + folder);
      }
      return files;
    } catch (IOException | UncheckedIOException e) {
      throw Fleet.cannot("read", folder.toString(), e);
    }
  }

  private static int ending(Path file) {
    for (int i = 0; i < ENDINGS.size(); i++) {
      if (file.toString().endsWith(ENDINGS.get(i))) {
        return i;
      }
    }
    return ENDINGS.size();
  }

  private static String run(Path file) {
    String name = file.toString();
    int ending = ending(file);
    return ending == ENDINGS.size()
        ? name
        : name.substring(0, name.length() - ENDINGS.get(ending).length());
  }

  /** The name that its content and the labels make: the same content is the same source. */
  public String hash(Labels labels) throws Failure {
    Hash hash =
        new Hash()
            .add("offcut.fleet/" + Rows.SCHEMA)
            .add(labels.service())
            .add(labels.version())
            .add(labels.host())
            .add(labels.withArguments() ? "with arguments" : "redacted");
    for (Path file : files) {
      try {
        hash.add(new Hash().add(file).digits(Hash.LONG_DIGITS));
      } catch (IOException e) {
        throw Fleet.cannot("read", file.toString(), e);
      }
    }
    return hash.digits(Hash.LONG_DIGITS);
  }
}
