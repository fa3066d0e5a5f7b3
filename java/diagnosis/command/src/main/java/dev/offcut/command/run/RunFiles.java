package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.RunArchive;
import dev.offcut.command.run.ProgramRun.Left;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that a run leaves: archive, recording, page and text, of one name. */
final class RunFiles {
  private static final String RECORDING = ".jfr";
  private static final List<String> KINDS = List.of(RunArchive.ENDING, RECORDING, ".html", ".txt");

  private final boolean force;
  private final boolean named;
  private Path name;
  private final List<Path> kept = new ArrayList<>();

  /** All that was written of the JVM that the report is about, as it is told. */
  private final List<String> written = new ArrayList<>();

  /** {@code given}: their name without an ending; null for one after the program. */
  RunFiles(@Nullable Path given, boolean force) {
    this.force = force;
    this.named = given != null;
    this.name = given == null ? Path.of("offcut") : withoutEnding(given);
  }

  /** Whoever says {@code -o a.html} means the same. */
  private static Path withoutEnding(Path given) {
    String text = given.toString();
    for (String kind : KINDS) {
      if (text.endsWith(kind)) {
        return Path.of(text.substring(0, text.length() - kind.length()));
      }
    }
    return given;
  }

  /** Refuses names that cannot be written, before the program runs. */
  void check() throws Failure {
    if (named) {
      for (String kind : KINDS) {
        file(kind).check();
      }
    } else if (!Files.isWritable(Path.of("").toAbsolutePath())) {
      throw Failure.other(
          "cannot write in this directory; give -o with a path in another one, or run offcut there");
    }
  }

  private Path path(String kind) {
    return path(name, kind);
  }

  private static Path path(Path name, String kind) {
    return name.resolveSibling(name.getFileName() + kind);
  }

  private OutputFile file(String kind) {
    return new OutputFile(path(kind), force);
  }

  void name(Digest.Target target) {
    if (named) {
      return;
    }
    name = free(Path.of("offcut-" + shortened(target.main()) + "." + target.pid()));
  }

  /** A PID comes again: what was recorded must not be lost for that. */
  private Path free(Path first) {
    Path free = first;
    for (int next = 2; !force && isThere(free); next++) {
      free = first.resolveSibling(first.getFileName() + "-" + next);
    }
    return free;
  }

  private static boolean isThere(Path name) {
    return KINDS.stream().anyMatch(kind -> Files.exists(path(name, kind)));
  }

  /** The class or jar without package and folder. */
  static String shortened(String main) {
    String last = main.substring(main.lastIndexOf('/') + 1);
    String bare =
        last.endsWith(".jar")
            ? last.substring(0, last.length() - ".jar".length())
            : last.substring(last.lastIndexOf('.') + 1);
    String safe = bare.replaceAll("[^A-Za-z0-9_.-]", "_");
    return safe.isEmpty() ? "java" : safe;
  }

  void keep(Left left, RunArchive.End end) throws Failure, IOException {
    for (Path file : keep(name, left, end)) {
      written.add(file + " (" + Figures.bytes(Files.size(file)) + ")");
    }
  }

  private List<Path> keep(Path stem, Left left, RunArchive.End end) throws Failure, IOException {
    List<Path> all = new ArrayList<>();
    if (left.tables() != null) {
      Path archive = path(stem, RunArchive.ENDING);
      new OutputFile(archive, force).write(RunArchive.of(left.tables(), left.outside(), end));
      all.add(archive);
    }
    if (left.recording() != null) {
      Path recording = path(stem, RECORDING);
      new OutputFile(recording, force).check();
      Files.move(left.recording(), recording, StandardCopyOption.REPLACE_EXISTING);
      OutputFile.keepPrivate(recording);
      all.add(recording);
    }
    kept.addAll(all);
    return all;
  }

  /** The files that were written of all JVMs, but for the reports. */
  List<Path> kept() {
    return List.copyOf(kept);
  }

  /** Puts what another JVM left, which the command started, beside it. */
  void keepOther(Left left, Digest.Target target, PrintStream err) throws Failure, IOException {
    String stem = name.getFileName() + "-" + shortened(target.main()) + "." + target.pid();
    for (Path file : keep(free(name.resolveSibling(stem)), left, RunArchive.End.UNKNOWN)) {
      err.println("offcut: wrote " + file + ", of another JVM that the command started");
    }
  }

  /** Writes the report: to a file if one was named, else for people to see. */
  void text(String report, PrintStream err) throws Failure {
    if (named) {
      file(".txt").write(report);
      written.add(path(".txt").toString());
    } else {
      err.println();
      err.print(report);
    }
  }

  void page(byte[] html) throws Failure {
    file(".html").write(html);
    written.add(path(".html").toString());
  }

  void sayWhatIsNext(PrintStream err) {
    String last = written.removeLast();
    String others = written.isEmpty() ? "" : String.join(", ", written) + " and ";
    err.println("offcut: wrote " + others + last);
    Path first = kept.getFirst();
    err.println("  next: offcut report " + first + "        offcut web " + first);
  }
}
