package dev.offcut.cli.source;

import dev.offcut.account.Jcmd;
import dev.offcut.cli.digest.Figures;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds out what holds the open resources of a running JVM: by a heap dump, which a JVM of our own
 * reads. The dump is deleted before this returns.
 *
 * <p>While it dumps, the JVM stops all threads of its program. So what that costs is said first,
 * and nothing is done that would take longer than the user allows.
 */
public final class HeapDump {
  /** Where the jar lies that reads dumps: the launcher says so. */
  private static final String PROPERTY = "offcut.heap.jar";

  /** Its first line. */
  private static final String FORMAT = "offcut.holders/1";

  /** A dump goes to a disk that others use, too, behind a collection: a slow pace. */
  private static final double BYTES_A_SECOND = 50 << 20;

  private static final double LEAST_SECONDS = 1;

  /** A reference has eight bytes in a dump, and often four in the heap. */
  private static final int WIDER = 2;

  /** Names, classes and stacks are in a dump, too. */
  private static final long BESIDES = 32 << 20;

  /** The reader's indexes take less than the dump. */
  private static final int ROOM = 2;

  private static final int FIELDS = 3;

  /**
   * Open objects of a kind that are held in one way.
   *
   * @param kind as the digest has it
   * @param by the path from a root, to stand behind "held by"
   */
  public record Held(String kind, long count, String by) {}

  private HeapDump() {}

  /**
   * Does it.
   *
   * @param used bytes of its heap
   * @param longest seconds that the program may be stopped
   * @param err is told what it costs, before and after
   */
  public static List<Held> holders(long pid, long used, double longest, PrintStream err)
      throws Failure {
    Jvm.of(pid);
    double seconds = LEAST_SECONDS + used / BYTES_A_SECOND;
    if (seconds > longest) {
      throw Failure.other(
          "a heap dump of "
              + Figures.bytes(used)
              + " may stop the program for "
              + Figures.seconds(seconds)
              + ", and the limit is "
              + Figures.seconds(longest)
              + "; --longest-stop SECONDS allows more");
    }
    Path folder = folder();
    try {
      return holders(pid, used, seconds, folder, err);
    } catch (IOException | UncheckedIOException e) {
      throw Failure.other("the heap dump cannot be written or read: " + e.getMessage());
    } finally {
      delete(folder);
    }
  }

  private static Path folder() throws Failure {
    try {
      return Files.createTempDirectory(
          "offcut-heap",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw Failure.other("cannot write to the directory for temporary files: " + e.getMessage());
    }
  }

  private static List<Held> holders(
      long pid, long used, double seconds, Path folder, PrintStream err)
      throws IOException, Failure {
    long most = WIDER * used + BESIDES;
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free / ROOM < most) {
      throw Failure.other(
          "a heap dump needs up to "
              + Figures.bytes(ROOM * most)
              + " in "
              + folder.getParent()
              + ", where "
              + Figures.bytes(free)
              + " are free; -Djava.io.tmpdir=FOLDER in JAVA_TOOL_OPTIONS of this command names"
              + " another folder");
    }
    Path dump = folder.resolve("heap.hprof");
    if (!dump.toString().matches("[^\\s\"']+")) {
      throw Failure.other("a JVM cannot dump to " + folder + ", whose name has blanks or quotes");
    }
    err.println(
        "offcut: a collection and a heap dump stop the program for about "
            + Figures.seconds(seconds)
            + ", or longer if the machine is busy; the dump, which has the program's data, takes up to "
            + Figures.bytes(most)
            + " in "
            + folder
            + " and is deleted when it has been read");
    long began = System.nanoTime();
    String answer = Jcmd.ask(pid, "GC.heap_dump " + dump);
    if (answer == null || !Files.isReadable(dump)) {
      throw Failure.other(
          "the JVM "
              + pid
              + " wrote no heap dump that this command can read"
              + (answer == null || answer.isBlank() ? "" : " (" + answer.strip() + ")")
              + "; run the command as its user, and in its container");
    }
    err.println(
        "offcut: the program was stopped for less than "
            + Figures.seconds(Math.max(0.1, (System.nanoTime() - began) / 1e9))
            + "; the dump has "
            + Figures.bytes(Files.size(dump)));
    return read(dump);
  }

  private static List<Held> read(Path dump) throws IOException, Failure {
    Path jar = Path.of(System.getProperty(PROPERTY, ""));
    if (!Files.isRegularFile(jar)) {
      throw Failure.other(
          "the reader of heap dumps is not at "
              + jar.toAbsolutePath()
              + "; -D"
              + PROPERTY
              + "=PATH says where it is");
    }
    Path said = dump.resolveSibling("said.txt");
    Process reader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-jar",
                jar.toString(),
                dump.toString())
            .redirectError(said.toFile())
            .start();
    List<String> lines;
    try (Stream<String> output = reader.inputReader(StandardCharsets.UTF_8).lines()) {
      lines = output.toList();
      if (reader.waitFor() != 0 || lines.isEmpty() || !lines.getFirst().equals(FORMAT)) {
        List<String> errors = Files.readAllLines(said, StandardCharsets.UTF_8);
        throw Failure.other(
            "the heap dump cannot be read" + (errors.isEmpty() ? "" : ": " + errors.getFirst()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.other("the command was interrupted");
    } finally {
      reader.destroy();
    }
    List<Held> all = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split("\t", FIELDS);
      all.add(new Held(fields[0], Long.parseLong(fields[1]), fields[2]));
    }
    return List.copyOf(all);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // What is left is in a folder that only this user may read.
    }
  }
}
