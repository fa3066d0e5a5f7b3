package dev.offcut.command.read;

import dev.offcut.command.read.Holders.Held;
import dev.offcut.resident.Jcmd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A heap dump of a JVM, for what it says about who holds open resources. A JVM of our own reads it.
 *
 * <p>While it dumps, the JVM stops all threads of its program. So what that costs is said first,
 * and nothing is done that would take longer than the user allows.
 *
 * <p>The dump has the program's data. It is in a folder that only this user can read. The reader
 * deletes it as soon as it has opened it, and closing this, or the end of this process, deletes the
 * folder.
 */
public final class HeapDump implements AutoCloseable {
  /** Where the jar lies that reads dumps: the launcher says so. */
  private static final String PROPERTY = "offcut.heap.jar";

  private static final String FORMAT = "offcut.heap/1";

  /** What a JVM says when all of it is written, in each version. */
  private static final String WRITTEN = "Heap dump file created";

  /** A dump goes to a disk that others use, too, behind a collection: a slow pace. */
  private static final double BYTES_A_SECOND = 50 << 20;

  private static final double LEAST_SECONDS = 1;

  /** A reference has eight bytes in a dump, and often four in the heap. */
  private static final int WIDER = 2;

  /** Names, classes and stacks are in a dump, too. */
  private static final long BESIDES = 32 << 20;

  /** The reader's indexes take less than the dump. */
  private static final int ROOM = 2;

  /** Reading takes about as long as that on two cores that others use, too. */
  private static final int SLOWER_TO_READ = 10;

  private static final double LEAST_READING = 60;

  private static final Duration PROGRESS = Duration.ofSeconds(10);

  private static final int FIELDS = 3;

  private final long pid;
  private final Path folder;
  private final Consumer<String> said;
  private final Thread atExit = new Thread(this::endAndDelete);
  private double seconds;
  private volatile @Nullable Process reader;

  private HeapDump(long pid, Path folder, Consumer<String> said) {
    this.pid = pid;
    this.folder = folder;
    this.said = said;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** {@code parent}: of its folder; null for that of this command. */
  public static HeapDump in(@Nullable Path parent, long pid, Consumer<String> said) throws Failure {
    try {
      Path folder = parent == null ? Temporary.folder() : parent;
      return new HeapDump(pid, Temporary.create(folder, "heap-"), said);
    } catch (IOException e) {
      throw Failure.other("cannot write to the directory for temporary files: " + e.getMessage());
    }
  }

  /**
   * What holds the open resources of a JVM that runs.
   *
   * @param used bytes of its heap
   * @param longest seconds that the program may be stopped
   * @param said is told what it costs, before and after
   */
  public static Holders holders(long pid, long used, double longest, Consumer<String> said)
      throws Failure {
    Jvm.of(pid);
    try (HeapDump dump = in(null, pid, said)) {
      dump.write(used, longest, "a collection and a heap dump stop the program for");
      return dump.read();
    }
  }

  /**
   * Lets the JVM write it.
   *
   * @param used bytes of its heap
   * @param longest seconds that this may take
   * @param what happens meanwhile, to stand before how long it takes
   */
  public void write(long used, double longest, String what) throws Failure {
    seconds = LEAST_SECONDS + used / BYTES_A_SECOND;
    if (seconds > longest) {
      throw Failure.other(
          """
          a heap dump of %s may stop the program for %s, and the limit is %s; --longest-stop \
          SECONDS allows more"""
              .formatted(Figures.bytes(used), Figures.seconds(seconds), Figures.seconds(longest)));
    }
    try {
      Path dump = file();
      long most = WIDER * used + BESIDES;
      checkRoom(most);
      said.accept(
          """
          offcut: %s about %s, or longer if the machine is busy; the dump, which has the \
          program's data, takes up to %s in %s and is deleted when it has been read"""
              .formatted(what, Figures.seconds(seconds), Figures.bytes(most), folder));
      write(dump);
    } catch (IOException e) {
      throw Failure.other("the heap dump cannot be written: " + e.getMessage());
    }
  }

  private Path file() throws Failure {
    Path dump = folder.resolve("heap.hprof");
    if (!dump.toString().matches("[^\\s\"']+")) {
      throw Failure.other("a JVM cannot dump to " + folder + ", whose name has blanks or quotes");
    }
    return dump;
  }

  private void checkRoom(long most) throws IOException, Failure {
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free / ROOM < most) {
      throw Failure.other(
          """
          a heap dump needs up to %s in %s, where %s are free; -Djava.io.tmpdir=FOLDER in \
          JAVA_TOOL_OPTIONS of this command names another folder"""
              .formatted(Figures.bytes(ROOM * most), folder.getParent(), Figures.bytes(free)));
    }
  }

  private void write(Path dump) throws IOException, Failure {
    long began = System.nanoTime();
    Duration patience =
        Duration.ofMillis(Math.round(1000 * Math.max(LEAST_READING, SLOWER_TO_READ * seconds)));
    String answer = Jcmd.ask(pid, "GC.heap_dump " + dump, patience);
    if (answer == null || !answer.contains(WRITTEN) || !Files.isReadable(dump)) {
      throw Failure.other(
          "the JVM %s wrote no heap dump that this command can read%s"
              .formatted(
                  pid,
                  answer == null || answer.isBlank()
                      ? "; it must allow tools to attach, and run as the user of this command, in the"
                          + " same container"
                      : " (" + String.join(" ", answer.strip().lines().toList()) + ")"));
    }
    said.accept(
        "offcut: the program was stopped for less than "
            + Figures.seconds(Math.max(0.1, (System.nanoTime() - began) / 1e9))
            + "; the dump has "
            + Figures.bytes(Files.size(dump)));
  }

  public Holders read() throws Failure {
    Path jar = Path.of(System.getProperty(PROPERTY, ""));
    if (!Files.isRegularFile(jar)) {
      throw Failure.other(
          "the reader of heap dumps is not at %s; -D%s=PATH says where it is"
              .formatted(jar.toAbsolutePath(), PROPERTY));
    }
    Path found = folder.resolve("held.txt");
    Path errors = folder.resolve("errors.txt");
    try {
      reader =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-jar",
                  jar.toString(),
                  file().toString())
              .redirectOutput(found.toFile())
              .redirectError(errors.toFile())
              .start();
      int exitCode = await(reader);
      List<String> lines = Files.readAllLines(found, StandardCharsets.UTF_8);
      if (exitCode != 0 || lines.isEmpty() || !lines.getFirst().equals(FORMAT)) {
        List<String> all = Files.readAllLines(errors, StandardCharsets.UTF_8);
        throw Failure.other(
            "the heap dump cannot be read" + (all.isEmpty() ? "" : ": " + all.getFirst()));
      }
      return Holders.of(lines.subList(1, lines.size()).stream().map(HeapDump::held).toList());
    } catch (IOException | RuntimeException e) {
      throw Failure.other("the heap dump cannot be read: " + e.getMessage());
    }
  }

  private int await(Process running) throws Failure {
    long began = System.nanoTime();
    double most = Math.max(LEAST_READING, SLOWER_TO_READ * seconds);
    try {
      while (!running.waitFor(PROGRESS.toSeconds(), TimeUnit.SECONDS)) {
        double past = (System.nanoTime() - began) / 1e9;
        if (past > most) {
          throw Failure.other(
              "the heap dump was not read within "
                  + Figures.seconds(most)
                  + "; the machine may be too busy");
        }
        said.accept(
            "offcut: reading the heap dump, %s of at most %s"
                .formatted(Figures.seconds(past), Figures.seconds(most)));
      }
      return running.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.other("the command was interrupted");
    }
  }

  private static Held held(String line) {
    String[] fields = line.split("\t", FIELDS);
    return new Held(fields[0], Long.parseLong(fields[1]), fields[2]);
  }

  @Override
  public void close() {
    endAndDelete();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // It runs already.
    }
    if (Files.exists(folder)) {
      said.accept("offcut: " + folder + " cannot be deleted; it may have a heap dump: delete it");
    }
  }

  private void endAndDelete() {
    Process running = reader;
    if (running != null && running.isAlive()) {
      running.destroyForcibly();
      try {
        running.waitFor(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    try {
      Temporary.delete(folder);
    } catch (IOException e) {
      // Whoever closes it says so.
    }
  }
}
