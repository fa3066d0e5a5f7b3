package dev.offcut.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A JVM for a program of the proofs, with its own collector and heap. */
final class StressJvm {
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

  private StressJvm(Path home) {
    this.home = home;
  }

  /** The JDK of this process. */
  static StressJvm same() {
    return new StressJvm(Path.of(System.getProperty("java.home")));
  }

  /** A JDK 17, if there is one: {@code OFFCUT_JAVA17_HOME}, or in the system's usual folders. */
  static Optional<StressJvm> java17() {
    return candidates().filter(StressJvm::isJava17).findFirst().map(StressJvm::new);
  }

  private static Stream<Path> candidates() {
    String given = System.getenv("OFFCUT_JAVA17_HOME");
    if (given != null) {
      return Stream.of(Path.of(given));
    }
    Path user = Path.of(System.getProperty("user.home"), ".sdkman", "candidates", "java");
    return Stream.of(Path.of("/usr/lib/jvm"), Path.of("/Library/Java/JavaVirtualMachines"), user)
        .flatMap(StressJvm::entries)
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

  StressJvm with(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  /** Class files that are found before all others. */
  StressJvm ahead(Path folder) {
    ahead = folder + File.pathSeparator;
    return this;
  }

  StressJvm collector(String name) {
    return with("-XX:+Use" + name + "GC");
  }

  /** Whether this JDK has what the options name: asked once, since to ask takes a JVM. */
  boolean isPossible() throws IOException, InterruptedException {
    Boolean known = POSSIBLE.get(toString());
    if (known == null) {
      known =
          ChildJvm.of(home, options.toArray(new String[0])).and("-version").runToAnyEnd().exitCode()
              == 0;
      POSSIBLE.put(toString(), known);
    }
    return known;
  }

  @Override
  public String toString() {
    return home + " " + options;
  }

  /** Runs the program and returns its output; its exit code must be 0. */
  List<String> run(int seconds, Class<?> program, Object... arguments)
      throws IOException, InterruptedException {
    String about = this + " " + program.getSimpleName() + " " + List.of(arguments);
    ChildJvm.Output output =
        ChildJvm.of(home, options.toArray(new String[0]))
            .and("-cp", ahead + System.getProperty("java.class.path"), program.getName())
            .and(arguments)
            .within(seconds)
            .runToAnyEnd();
    List<String> lines = output.text().lines().toList();
    List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
    assertThat(output.exitCode()).as("%s%n%s", about, String.join("\n", tail)).isZero();
    assertThat(lines).as(about).noneMatch(line -> line.contains("FAILED"));
    return lines;
  }
}
