package dev.offcut.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A program of the proofs in a process of its own, with its own collector and heap. */
final class ChildJvm {
  /** Whether the long form was asked for: {@code -Dstress.long=true}. */
  static final boolean LONG = Boolean.getBoolean("stress.long");

  /** The collectors; not every JDK has all. */
  static final List<String> COLLECTORS = List.of("Serial", "Parallel", "G1", "Z", "Shenandoah");

  /** The seed of this run: given by {@code -Dstress.seed}, or new. Each program prints its own. */
  static final long SEED = Long.getLong("stress.seed", System.nanoTime() & 0xFFFF_FFFFL);

  private static final int TAIL = 60;

  /** By JDK and options. */
  private static final Map<String, Boolean> POSSIBLE = new ConcurrentHashMap<>();

  private final Path home;
  private final List<String> options = new ArrayList<>();
  private String ahead = "";

  private ChildJvm(Path home) {
    this.home = home;
  }

  /** The JDK of this process. */
  static ChildJvm same() {
    return new ChildJvm(Path.of(System.getProperty("java.home")));
  }

  /** A JDK 17, if there is one: {@code OFFCUT_JAVA17_HOME}, or in the system's usual folders. */
  static Optional<ChildJvm> java17() {
    return candidates().filter(ChildJvm::isJava17).findFirst().map(ChildJvm::new);
  }

  private static Stream<Path> candidates() {
    String given = System.getenv("OFFCUT_JAVA17_HOME");
    if (given != null) {
      return Stream.of(Path.of(given));
    }
    Path user = Path.of(System.getProperty("user.home"), ".sdkman", "candidates", "java");
    return Stream.of(Path.of("/usr/lib/jvm"), Path.of("/Library/Java/JavaVirtualMachines"), user)
        .flatMap(ChildJvm::entries)
        .flatMap(entry -> Stream.of(entry, entry.resolve("Contents/Home")));
  }

  private static Stream<Path> entries(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList().stream();
    } catch (IOException e) {
      return Stream.empty(); // no such folder
    }
  }

  private static boolean isJava17(Path home) {
    try {
      return Files.isExecutable(home.resolve("bin/java"))
          && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17");
    } catch (IOException e) {
      return false;
    }
  }

  ChildJvm with(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  /** Class files that are found before all others. */
  ChildJvm ahead(Path folder) {
    ahead = folder + File.pathSeparator;
    return this;
  }

  ChildJvm collector(String name) {
    return with("-XX:+Use" + name + "GC");
  }

  /** Whether this JDK has what the options name: asked once, since to ask takes a JVM. */
  boolean isPossible() throws IOException, InterruptedException {
    Boolean known = POSSIBLE.get(toString());
    if (known == null) {
      known = execute(60, null, List.of("-version")).code == 0;
      POSSIBLE.put(toString(), known);
    }
    return known;
  }

  @Override
  public String toString() {
    return home + " " + options;
  }

  private record Outcome(int code, List<String> lines) {}

  /** Runs the program and returns its output; its exit code must be 0. */
  List<String> run(int seconds, Class<?> program, Object... arguments)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add("-cp");
    words.add(ahead + System.getProperty("java.class.path"));
    words.add(program.getName());
    for (Object argument : arguments) {
      words.add(String.valueOf(argument));
    }
    Outcome outcome = execute(seconds, program, words);
    String about = this + " " + program.getSimpleName() + " " + List.of(arguments);
    List<String> lines = outcome.lines;
    List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
    assertThat(outcome.code).as("%s%n%s", about, String.join("\n", tail)).isZero();
    assertThat(lines).as(about).noneMatch(line -> line.contains("FAILED"));
    return lines;
  }

  private Outcome execute(int seconds, @Nullable Class<?> program, List<String> words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
    command.addAll(options);
    command.addAll(words);
    Path output = Files.createTempFile("offcut-stress", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      dump(process, output);
      process.destroyForcibly().waitFor();
    }
    List<String> lines = new ArrayList<>(Files.readAllLines(output));
    Files.delete(output);
    if (!ended) {
      lines.add("FAILED: " + program + " did not end within " + seconds + " s");
    }
    return new Outcome(ended ? process.exitValue() : -1, lines);
  }

  /** The threads of a process that does not end, into its own output. */
  private static void dump(Process process, Path output) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid()))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start()
        .waitFor();
    process.waitFor(2, TimeUnit.SECONDS);
  }
}
