package dev.offcut.command.read;

import static dev.offcut.command.read.Leftovers.below;
import static dev.offcut.command.read.Leftovers.isOwn;
import static dev.offcut.command.read.Leftovers.list;
import static dev.offcut.command.read.Leftovers.name;
import static dev.offcut.command.read.Leftovers.tableFolders;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What runs left lying around: files of one name in a folder, folders of runs whose command was
 * killed, and tables of programs that were killed.
 */
public final class LeftRuns {
  /** What the name of a run's folder begins with; then come the PID of the command, and a dash. */
  public static final String WORKSPACE = "offcut-run-";

  /** Files of one name; the first of them that is there is read. */
  private static final List<String> SOURCES = List.of(RunArchive.ENDING, ".jfr", Tables.ENDING);

  private static final List<String> COMPANIONS = List.of(".html", ".txt");

  /** What the names of files begin with that nobody chose. */
  private static final String NAMED = "offcut-";

  private static final Pattern TABLES = Pattern.compile("([0-9]{1,10})\\.tables");
  static final Pattern FOLDER = Pattern.compile(Pattern.quote(WORKSPACE) + "([0-9]{1,10})-.*");

  private LeftRuns() {}

  /**
   * A run.
   *
   * @param files all that it left; or its folder
   * @param source what to read; null if its program has published nothing
   * @param written when the last of it was
   * @param goesOn whether its program, or the command, still runs
   */
  public record Left(
      List<Path> files, @Nullable Path source, long bytes, Instant written, boolean goesOn) {}

  /** All, the last written first: in a folder, and where agents and commands have theirs. */
  public static List<Left> all(Path folder) {
    List<Left> all = new ArrayList<>(in(folder));
    for (Path tables : tableFolders()) {
      list(tables).stream()
          .filter(file -> TABLES.matcher(name(file)).matches())
          .forEach(file -> all.add(left(List.of(file), file, isAlive(TABLES, file))));
    }
    for (Path run : list(Temporary.base())) {
      if (FOLDER.matcher(name(run)).matches() && isOwn(run)) {
        List<Path> files = below(run);
        all.add(left(List.of(run), sourceIn(run), files, isAlive(FOLDER, run) || runs(files)));
      }
    }
    all.sort(Comparator.comparing(Left::written).reversed());
    return all;
  }

  /** What lies in a folder, by name, the last written first. */
  private static List<Left> in(Path folder) {
    Map<String, List<Path>> byName = new LinkedHashMap<>();
    for (Path file : list(folder)) {
      for (String ending : Stream.concat(SOURCES.stream(), COMPANIONS.stream()).toList()) {
        String name = name(file);
        if (name.endsWith(ending) && name.length() > ending.length()) {
          String stem = name.substring(0, name.length() - ending.length());
          byName.computeIfAbsent(stem, made -> new ArrayList<>()).add(file);
          break;
        }
      }
    }
    List<Left> all = new ArrayList<>();
    for (List<Path> files : byName.values()) {
      Path source = sourceOf(files);
      if (source != null && (files.size() > 1 || isKnown(source))) {
        all.add(left(files, source, isAlive(TABLES, source)));
      }
    }
    all.sort(Comparator.comparing(Left::written).reversed());
    return all;
  }

  /** One of Flight Recorder's own files, below a repository, is none. */
  private static boolean isKnown(Path source) {
    return name(source).startsWith(NAMED) || Tables.isAt(source);
  }

  private static @Nullable Path sourceOf(List<Path> files) {
    for (String ending : SOURCES) {
      for (Path file : files) {
        if (name(file).endsWith(ending)) {
          return file;
        }
      }
    }
    return null;
  }

  /** What to read of a folder: of the run whose it is, or of the last in it; null if it is none. */
  static @Nullable Path lastIn(Path folder) {
    if (Files.isDirectory(folder.resolve("accounts"))
        && Files.isDirectory(folder.resolve("tables"))) {
      return sourceIn(folder);
    }
    return in(folder).stream().map(Left::source).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** What to read of the folder of a run: the tables that were written last; null: none. */
  private static @Nullable Path sourceIn(Path run) {
    return list(run.resolve("tables")).stream()
        .filter(file -> TABLES.matcher(name(file)).matches())
        .max(Comparator.comparingLong(Tables::looked))
        .orElse(null);
  }

  private static Left left(List<Path> files, @Nullable Path source, boolean goesOn) {
    return left(files, source, files, goesOn);
  }

  private static Left left(
      List<Path> shown, @Nullable Path source, List<Path> files, boolean goesOn) {
    long bytes = files.stream().mapToLong(file -> file.toFile().length()).sum();
    long written = files.stream().mapToLong(file -> file.toFile().lastModified()).max().orElse(0);
    return new Left(List.copyOf(shown), source, bytes, Instant.ofEpochMilli(written), goesOn);
  }

  private static boolean runs(List<Path> files) {
    return files.stream().anyMatch(file -> isAlive(TABLES, file));
  }

  /** Whether the process runs whose PID a name has. */
  private static boolean isAlive(Pattern form, Path file) {
    Matcher matcher = form.matcher(name(file));
    return matcher.matches() && Jvm.isAlive(Long.parseLong(matcher.group(1)));
  }
}
