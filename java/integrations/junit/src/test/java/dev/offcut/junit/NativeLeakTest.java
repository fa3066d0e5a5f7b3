package dev.offcut.junit;

import static dev.offcut.junit.JunitRun.agent;
import static dev.offcut.junit.JunitRun.classPath;
import static dev.offcut.junit.JunitRun.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.offcut.junit.JunitRun.Results;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import shop.Chosen;

/** Runs tests that leak, each time in a JVM of its own, with JUnit 5 and 6. */
class NativeLeakTest {
  private static final int TESTS = Integer.getInteger("junit.tests", 1_000);

  private static final String[] PARALLEL = {
    "junit.jupiter.execution.parallel.enabled=true",
    "junit.jupiter.execution.parallel.mode.default=concurrent",
    "junit.jupiter.execution.parallel.config.strategy=fixed",
    "junit.jupiter.execution.parallel.config.fixed.parallelism=6"
  };

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void leak_failsItsTestWithKindAndLineAfterItsOwnFailure(int junit) throws Exception {
    Results results = run(junit, List.of(), "shop.PhotosTests");

    assertThat(results.failed())
        .containsExactlyInAnyOrder(
            "leaksReachable()",
            "leaksUnreachable()",
            "leaksReleased()",
            "leaksInThread()",
            "leaksInPool()",
            "failsByItself()",
            "repetition 2 of 3",
            "[3] 3",
            "dynamic leaks",
            "innerLeaks()");
    assertThat(results.of("leaksReachable()"))
        .contains("PhotosTests.leaksReachable: 1 image opened at shop.PhotosTests.leaksReachable(")
        .contains("LEAK  image  1 still open, 0 unreachable without a close")
        .contains("try-with-resources");
    assertThat(results.of("leaksReleased()"))
        .contains("opened at shop.PhotosTests.forget(PhotosTests.java:")
        .contains("LEAK  image  0 still open, 1 unreachable without a close")
        .contains("(and 1 more lines)");
    assertThat(results.of("failsByItself()"))
        .startsWith("FAILED\njava.lang.IllegalStateException: its own failure")
        .contains(
            "Suppressed: dev.offcut.junit.NativeLeakError: PhotosTests.failsByItself: 1 image");
    assertThat(results.of("leaksInPool()")).contains("1 image opened at shop.PhotosTests.lambda$");
    assertThat(String.join("\n", results.err()))
        .contains("it does not check arenas")
        .contains("start the JVM of the tests with -javaagent:offcut-agent.jar=level=full");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void sharedAndLate_failTheClass(int junit) throws Exception {
    Results results = run(junit, List.of(), "shop.LeftTests");

    assertThat(results.failed()).containsExactly("LeftTests");
    assertThat(results.of("LeftTests"))
        .contains("LeftTests: 1 image opened at shop.LeftTests.leakOfClass(")
        .contains("LeftTests.leaksShared: 1 image opened at shop.LeftTests.leaksShared(")
        .contains("LeftTests.opensLate: 1 image opened at shop.LateThread.run(")
        .contains("opened after the test had ended")
        .doesNotContain("opensForNext");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void parallelLeaks_eachFailsItsOwnTest(int junit) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Results results =
        run(
            junit,
            List.of("-Dshop.tests=" + TESTS, "-Dshop.seed=" + seed, agent("level=full")),
            with("shop.ManyTests"));

    assertThat(results.tests()).hasSizeGreaterThanOrEqualTo(TESTS);
    assertThat(results.failed()).containsExactlyInAnyOrderElementsOf(leaking(seed));
    for (String test : results.failed()) {
      assertThat(results.of(test)).contains(": 1 ").doesNotContain("more lines");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void agent_knowsWhatTheLibrariesDoNot(int junit) throws Exception {
    Results results = run(junit, List.of(agent("level=full")), "shop.NativeTests");

    assertThat(results.failed())
        .containsExactlyInAnyOrder(
            "leaksInflater()",
            "leaksCollected()",
            "leaksInThread()",
            "leaksUnsafe()",
            "NativeTests");
    assertThat(results.of("leaksInflater()"))
        .contains("1 java.util.zip.Inflater opened at shop.NativeTests.leaksInflater(NativeTests");
    assertThat(results.of("leaksCollected()"))
        .contains("1 java.util.zip.Inflater opened at shop.NativeTests.leaksCollected(NativeTests");
    assertThat(results.of("leaksUnsafe()"))
        .contains("1 block of Unsafe opened at shop.Native.call(")
        .contains("shop.NativeTests.leaksUnsafe(");
    assertThat(results.of("NativeTests"))
        .contains("keepsBuffer: 1 direct buffer opened at shop.NativeTests.keepsBuffer(")
        .contains("since something still refers to it")
        .doesNotContain("dropsBuffer", "holdsBuffer", "usesTheJdk", "handsOn", "Suppressed");
    if (Runtime.version().feature() >= 25) { // before, nobody counts arenas
      assertThat(String.join("\n", results.err())).doesNotContain("@NoNativeLeaks");
    }
  }

  /** The class that allocates is from a jar, as a library's is. */
  @Test
  void agent_namesTheLineOfTheTest_ofWhatALibraryOpens(@TempDir Path folder) throws Exception {
    Path library = folder.resolve("library.jar");
    String name = "shop/Native.class";
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(library));
        InputStream file = NativeLeakTest.class.getResourceAsStream("/" + name)) {
      jar.putNextEntry(new ZipEntry(name));
      jar.write(Objects.requireNonNull(file).readAllBytes());
    }
    Path[] path =
        Stream.concat(Stream.of(library), Stream.of(classPath(6, true))).toArray(Path[]::new);
    Results results = run(path, List.of(agent("level=full")), "shop.NativeTests");
    assertThat(results.of("leaksUnsafe()"))
        .contains("1 block of Unsafe opened at shop.NativeTests.leaksUnsafe(NativeTests.java:")
        .doesNotContain("opened at shop.Native.");
  }

  @Test
  void agent_knowsArenas() throws Exception {
    assumeTrue(Runtime.version().feature() >= 25);
    Results results =
        run(6, List.of(agent("level=full")), "shop.ArenaTests", "shop.KeptArenaTests");

    assertThat(results.failed())
        .containsExactlyInAnyOrder("leaksShared()", "leaksConfined()", "KeptArenaTests");
    assertThat(results.of("leaksShared()"))
        .contains("1 shared arena opened at shop.Native.arena(")
        .contains("shop.ArenaTests.leaksShared(");
    assertThat(results.of("leaksConfined()")).contains("1 confined arena opened at");
    assertThat(results.of("KeptArenaTests")).contains("keepsAutomatic: 1 automatic arena");
  }

  @Test
  void agentWithoutLibrary_isEnough() throws Exception {
    Results results = run(6, false, List.of(agent("level=full")), "shop.NativeTests");

    assertThat(results.failed()).hasSize(5);
  }

  @Test
  void agentOfOtherLevel_isNotEnough() throws Exception {
    Results results = run(6, List.of(agent("level=sample")), "shop.NativeTests");

    assertThat(results.failed()).isEmpty();
    assertThat(String.join("\n", results.err()))
        .contains("its level is not full; give it the option level=full");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void whatNobodyCounts_isToldInTheReport(int junit) throws Exception {
    Results results = run(junit, List.of(agent("level=full,buffers=off")), "shop.BlindTests");

    String report = results.of("report of BlindTests");
    for (String text : List.of(report, String.join("\n", results.err()))) {
      assertThat(text)
          .contains(
              "@NoNativeLeaks does not see all. The agent reports: JNA's Memory: com.sun.jna.Memory"
                  + " has an unknown shape (")
          .contains("@NoNativeLeaks does not check direct buffers (switched off)");
    }
    assertThat(results.failed()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void whatNobodyCountsThoughTheUserAsksForIt_failsTheClass(int junit) throws Exception {
    List<String> options = List.of(agent("level=full,jnamemory=on,watch=shop.BlindTests#endIt"));
    Results results = run(junit, options, "shop.BlindTests");

    assertThat(results.failed()).containsExactly("BlindTests");
    assertThat(results.of("BlindTests"))
        .contains("what the agent's options ask for was not checked: JNA's Memory: com.sun.jna.")
        .contains(
            "what the agent's options ask for was not checked: shop.BlindTests is not counted"
                + " (not");
  }

  @Test
  void whatCannotBeChecked_failsItsTest() throws Exception {
    Results results = run(6, List.of(agent("level=full")), "shop.ManyPlacesTests");

    assertThat(results.failed()).containsExactly("opensAtTooManyPlaces()");
    assertThat(results.of("opensAtTooManyPlaces()"))
        .contains("openings were not checked, since tests have resources open at more than 32,000");
  }

  @Test
  void sharedThread_opensForTheTestOnItsStack() throws Exception {
    Results results = run(6, List.of(), with("shop.PoolTests"));

    assertThat(results.failed()).containsExactly("leaks()");
    assertThat(results.of("leaks()")).contains("1 image opened at shop.PoolTests.lambda$leaks$");
  }

  private static Object[] with(String name) {
    List<Object> arguments = new ArrayList<>(List.of(PARALLEL));
    arguments.add(name);
    return arguments.toArray();
  }

  /** The names of the tests that leak by a seed. */
  private static List<String> leaking(long seed) {
    boolean[] leaks = Chosen.of(TESTS, seed);
    return IntStream.range(0, leaks.length)
        .filter(i -> leaks[i])
        .mapToObj("test %d."::formatted)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void packageAnnotation_needsAutomaticDetection(int junit) throws Exception {
    Results without = run(junit, List.of(), "shop.checked.PlainTests");
    Results with =
        run(
            junit,
            List.of(),
            "shop.checked.PlainTests",
            "junit.jupiter.extensions.autodetection.enabled=true");

    assertThat(without.failed()).isEmpty();
    assertThat(with.failed()).containsExactly("leaks()");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void methodAnnotation_checksThisTest(int junit) throws Exception {
    Results results = run(junit, List.of(), "shop.OneTests");

    assertThat(results.failed()).containsExactly("leaksChecked()");
  }

  @Test
  void nothingToLookAt_failsWithOneSentence() throws Exception {
    Results results = run(6, false, List.of(), "shop.NothingTests");

    assertThat(results.failed()).containsExactly("NothingTests");
    assertThat(results.of("NothingTests"))
        .contains("@NoNativeLeaks has nothing to look at: ")
        .contains("dev.offcut:offcut-handle");
  }

  @Test
  void detectionOff_failsWithOneSentence() throws Exception {
    Results results = run(6, List.of("-Doffcut.handle.detection=off"), "shop.NothingTests");

    assertThat(results.failed()).containsExactly("NothingTests");
    assertThat(results.of("NothingTests")).contains("-Doffcut.handle.detection=off; remove");
  }
}
