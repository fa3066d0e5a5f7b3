package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Jvm;
import dev.offcut.command.read.MallocRecording;
import dev.offcut.command.read.NativeCallers;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * async-profiler in the JVMs of a run, where it samples malloc and records free. Each JVM writes a
 * file of its own, which is read when the program has ended.
 *
 * <p>A JVM that cannot load the library does not start. So the library is first tried in a JVM that
 * only prints its version; if that fails, the program runs without it, and the report says why.
 *
 * <p>Every call of free is in the file, some 20 bytes each. A file that reaches its limit stops the
 * profiler in its JVM. The file is one chunk: while the profiler begins another, it would miss
 * calls of free, and what they free would look held.
 */
final class Profiler implements AutoCloseable {
  /** Where its library lies, or the folder of those of all systems: the launcher says so. */
  static final String PROPERTY = "offcut.profiler";

  /** The most bytes of a file, for tests; 20 bytes for each call of free. */
  static final String LIMIT = "offcut.profiler.limit";

  private static final long MOST_BYTES = 1L << 30;
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration TRIAL = Duration.ofSeconds(30);

  /** Variables that options of JVMs come from. */
  private static final List<String> VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private static final String OTHER = "asyncprofiler";

  /** Half of the golden ratio. */
  private static final double SHARE = (1 + Math.sqrt(5)) / 4;

  /** An odd number that is no prime passes with a chance of 1 in 2 to this power. */
  private static final int CERTAINTY = 30;

  /** Below that, every block or nearly every block is sampled. */
  private static final long SHORTEST = 64;

  private final Path folder;
  private final Path library;
  private final long interval;
  private final String problem;
  private final Set<Long> stopped = ConcurrentHashMap.newKeySet();
  private final long limit = Long.getLong(LIMIT, MOST_BYTES);
  private final @Nullable Thread watch;

  /**
   * Tries it.
   *
   * @param folder of the run
   * @param command what is to be started
   * @param interval in so many bytes at least one is sampled; 0: each block
   */
  Profiler(Path folder, Child.Command command, long interval) {
    this.folder = folder;
    this.library = library(Path.of(System.getProperty(PROPERTY, "")).toAbsolutePath());
    this.interval = inStepWithNothing(interval);
    this.problem = tried(command);
    this.watch =
        problem.isEmpty()
            ? Thread.ofPlatform().daemon().name("offcut profiler").start(this::work)
            : null;
  }

  /**
   * In how many bytes one is sampled if a user asks for one in {@code interval}; not more.
   *
   * <p>The profiler adds up sizes and takes a block whenever the sum passes the interval. Nothing
   * there is random: if a program repeats sizes whose sum is in step with the interval, always the
   * same of its blocks is taken, or never. Sizes are mostly powers of two and their multiples, so
   * the interval is a prime, and its ratio to a power of two is as far from a fraction of small
   * numbers as the golden ratio is.
   */
  static long inStepWithNothing(long interval) {
    if (interval < SHORTEST) {
      return interval;
    }
    BigInteger sampled = BigInteger.valueOf((long) (interval * SHARE));
    while (!sampled.isProbablePrime(CERTAINTY)) {
      sampled = sampled.subtract(BigInteger.ONE);
    }
    return sampled.longValueExact();
  }

  /** The one of this system in a folder. */
  private static Path library(Path given) {
    if (Files.isRegularFile(given)) {
      return given;
    }
    String architecture =
        System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
    return given
        .resolve(System.getProperty("os.name").startsWith("Mac") ? "macos" : architecture)
        .resolve("libasyncProfiler.so");
  }

  /** Why it is not in the program, a sentence; empty if it is. */
  String problem() {
    return problem;
  }

  /** The JVM's option that loads it. */
  String option() {
    return option("malloc-%p.jfr");
  }

  private String option(String file) {
    return "-agentpath:"
        + library
        + "=start,nativemem="
        + interval
        + ",jfr,chunksize=0,chunktime=0,file="
        + folder.resolve(file)
        + quietly();
  }

  /** stdout and stderr are the program's. */
  private String quietly() {
    return ",quiet,loglevel=error,log=" + log();
  }

  private Path log() {
    return folder.resolve("profiler.log");
  }

  private String tried(Child.Command command) {
    if (!Files.isReadable(library)) {
      return "async-profiler's library is not at "
          + library
          + "; it is there on Linux and macOS, on x64 and arm64. -D"
          + PROPERTY
          + "=PATH says where another one is.";
    }
    if (library.toString().contains("=")) {
      return "the path of async-profiler, "
          + library
          + ", has an equals sign; name a copy elsewhere with -D"
          + PROPERTY
          + "=PATH.";
    }
    if (folder.toString().matches(".*[,%].*")) {
      return "the profiler cannot write to "
          + folder
          + ", whose name has a comma or a percent sign; set java.io.tmpdir in JAVA_TOOL_OPTIONS of"
          + " this command to another folder.";
    }
    boolean isThere =
        Stream.concat(
                command.words().stream(),
                VARIABLES.stream().map(name -> System.getenv().getOrDefault(name, "")))
            .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(OTHER));
    if (isThere) {
      return "the program loads async-profiler itself, and two of them in one JVM disturb each other;"
          + " take it out of the program's options.";
    }
    return trial(command.java());
  }

  private String trial(String java) {
    Path said = folder.resolve("trial.txt");
    Path file = folder.resolve("trial.jfr");
    String reason;
    try {
      Process jvm =
          new ProcessBuilder(java, option("trial.jfr"), "-version")
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      if (!jvm.waitFor(TRIAL.toSeconds(), TimeUnit.SECONDS)) {
        jvm.destroyForcibly().waitFor();
        return "a test JVM with the profiler did not end within " + TRIAL.toSeconds() + " s.";
      }
      if (jvm.exitValue() == 0 && Files.exists(file) && Files.size(file) > 0) {
        return "";
      }
      reason =
          "a JVM with the profiler ends with exit code "
              + jvm.exitValue()
              + firstLine(log(), firstLine(said, ""))
              + ".";
    } catch (IOException e) {
      return ""; // there is no such program, which is said when it is started
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "the command was interrupted.";
    } finally {
      delete(said);
      delete(file);
    }
    String preloaded = System.getenv().getOrDefault("LD_PRELOAD", "");
    return preloaded.isEmpty()
        ? reason
        : reason + " LD_PRELOAD is " + preloaded + ", with which it may not work.";
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // it goes with its folder
    }
  }

  /** What a file says first, behind a colon. */
  private static String firstLine(Path file, String otherwise) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("Picked up "))
          .findFirst()
          .map(line -> ": " + line.strip())
          .orElse(otherwise);
    } catch (IOException e) {
      return otherwise;
    }
  }

  private Path file(long pid) {
    return folder.resolve("malloc-" + pid + ".jfr");
  }

  private void work() {
    try {
      while (true) {
        Thread.sleep(PERIOD);
        try (Stream<Path> files = Files.list(folder)) {
          files.forEach(this::limit);
        } catch (IOException e) {
          return; // the folder has gone
        }
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private void limit(Path file) {
    String name = String.valueOf(file.getFileName());
    if (name.matches("malloc-[0-9]{1,10}\\.jfr") && file.toFile().length() > limit) {
      long pid = Long.parseLong(name.replaceAll("[^0-9]", ""));
      if (stopped.add(pid)) {
        try {
          Jvm.loadLibrary(pid, library, "stop" + quietly());
        } catch (Failure e) {
          // It ended, or nobody may attach: its file grows until the program ends.
          stopped.remove(pid);
        }
      }
    }
  }

  /** What a JVM that has ended left. */
  NativeCallers of(long pid) {
    if (!problem.isEmpty()) {
      return NativeCallers.none(problem);
    }
    Path file = file(pid);
    if (!Files.exists(file)) {
      return NativeCallers.none("the profiler left no file" + firstLine(log(), "") + ".");
    }
    try {
      return MallocRecording.read(file, interval, stopped.contains(pid));
    } catch (Failure e) {
      return NativeCallers.none(
          "the profiler writes its file when the JVM ends, and this one was killed before.");
    }
  }

  @Override
  public void close() {
    if (watch == null) {
      return;
    }
    watch.interrupt();
    try {
      watch.join(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
