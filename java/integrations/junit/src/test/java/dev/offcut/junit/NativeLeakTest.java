package dev.offcut.junit;

import static dev.offcut.junit.JunitRun.agent;
import static dev.offcut.junit.JunitRun.classPath;
import static dev.offcut.junit.JunitRun.run;
import static dev.offcut.junit.JunitRun.testNg;
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

/** Runs tests that leak, each time in a JVM of its own, with JUnit 5, JUnit 6 and TestNG. */
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
    assertThat(results.failed()).containsExactlyInAnyOrderElementsOf(leaking("test %d.", seed));
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
    Results results = run(path, List.of(agent("level=full")), TestRun.class, "shop.NativeTests");
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
  @ValueSource(ints = {5, 6, 0})
  void whatNobodyCounts_isToldInTheReport(int junit) throws Exception {
    List<String> options = List.of(agent("level=full,buffers=off"));
    Results results =
        junit == 0 ? testNg(options, "shop.ng.BlindTests") : run(junit, options, "shop.BlindTests");

    String report = results.of(junit == 0 ? "report" : "report of BlindTests");
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
  @ValueSource(ints = {5, 6, 0})
  void whatNobodyCountsThoughTheUserAsksForIt_failsTheClass(int junit) throws Exception {
    String of = junit == 0 ? "shop.ng.BlindTests" : "shop.BlindTests";
    List<String> options = List.of(agent("level=full,jnamemory=on,watch=" + of + "#endIt"));
    Results results = junit == 0 ? testNg(options, of) : run(junit, options, of);

    assertThat(results.failed())
        .isEqualTo(junit == 0 ? List.of("end", "run") : List.of("BlindTests"));
    assertThat(results.of(junit == 0 ? "end" : "BlindTests"))
        .contains("what the agent's options ask for was not checked: JNA's Memory: com.sun.jna.")
        .contains(
            "what the agent's options ask for was not checked: " + of + " is not counted (not");
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
  private static List<String> leaking(String name, long seed) {
    boolean[] leaks = Chosen.of(TESTS, seed);
    return IntStream.range(0, leaks.length)
        .filter(i -> leaks[i])
        .mapToObj(name::formatted)
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

  // TestNG, in JVMs without a JUnit.

  @Test
  void testNg_failsTheTest() throws Exception {
    Results results = testNg(List.of(), "shop.ng.GalleryTests");

    assertThat(results.failed())
        .containsExactlyInAnyOrder(
            "leaks",
            "leaksInThread",
            "leaksInTime",
            "failsByItself",
            "leaksAndThrowsAsExpected",
            "leaksTheSecond[2]");
    assertThat(results.of("leaks"))
        .contains("GalleryTests.leaks: 1 image opened at shop.ng.GalleryTests.leaks(Gallery")
        .contains("LEAK  image  1 still open, 0 unreachable without a close")
        .contains("in try-with-resources or in @AfterMethod")
        .doesNotContain("org.testng");
    assertThat(results.of("leaksTheSecond[2]")).contains("GalleryTests.leaksTheSecond [2]: 1 im");
    assertThat(results.of("failsByItself"))
        .startsWith("FAILED\njava.lang.IllegalStateException: its own failure")
        .contains("Suppressed: dev.offcut.junit.NativeLeakError: GalleryTests.failsByItself: 1");
    assertThat(results.of("run"))
        .startsWith("THROWN")
        .contains("GalleryTests.leaksAndSkips: 1 image opened at");
  }

  @Test
  void testNg_looksAfterTheLastAfterMethod() throws Exception {
    Results results = testNg(List.of(), "shop.ng.WallTests");

    assertThat(results.failed())
        .containsExactly("closeAbove", "closeAbove 2", "closeOfClass", "run");
    assertThat(results.of("closeAbove"))
        .contains("WallTests.b_leaksWhatCameBefore: 1 image opened at shop.ng.WallTests.open(");
    assertThat(results.of("closeAbove 2"))
        .contains("WallTests.c_leaks: 1 image opened at shop.ng.WallTests.c_leaks(");
    assertThat(results.of("closeOfClass"))
        .contains("WallTests: 1 image opened at shop.ng.WallTests.openOfClass(")
        .contains("close what @BeforeClass opens in @AfterClass")
        .contains("WallTests.f_leaksShared: 1 image opened at shop.ng.WallTests.f_leaksShared(")
        .doesNotContain("d_opensForNext");
    assertThat(results.tests().values()).noneMatch(test -> test.startsWith("SKIPPED"));
  }

  @Test
  void testNg_failsTheRunIfNoMethodCanFail() throws Exception {
    Results results =
        testNg(List.of(), "shop.ng.FloorTests$WithoutEnd", "shop.ng.FloorTests$Skipped");

    assertThat(results.failed()).containsExactly("openAndFail");
    assertThat(results.of("run"))
        .startsWith("THROWN")
        .contains("FloorTests$WithoutEnd: 1 image opened at shop.ng.FloorTests$WithoutEnd.open(")
        .contains("FloorTests$Skipped.isSkipped: 1 image opened at");
    assertThat(String.join("\n", results.err()))
        .contains("offcut: FloorTests$WithoutEnd: 1 image")
        .contains("offcut: FloorTests$Skipped.isSkipped: 1 image");
  }

  @Test
  void testNg_checksMethodsAndPackages() throws Exception {
    assertThat(testNg(List.of(), "shop.ng.FloorTests$Door").failed())
        .containsExactly("leaks", "run");
    assertThat(testNg(List.of(), "shop.ng.checked.FrameTests").failed())
        .containsExactly("leaks", "run");
  }

  @Test
  void testNg_parallelLeaksEachFailTheirOwnTest() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Results results =
        testNg(List.of("-Dshop.tests=" + TESTS, "-Dshop.seed=" + seed), "shop.ng.CrowdTests");

    List<String> leaking = leaking("test[%d]", seed);
    assertThat(results.failed()).hasSize(leaking.size() + 1).containsAll(leaking).contains("run");
    assertThat(results.tests()).hasSize(TESTS + 1);
    for (String test : leaking) {
      assertThat(results.of(test)).contains(" 1 image opened at ").doesNotContain("more lines");
    }
  }

  @Test
  void testNg_withoutAnythingToLookAt_failsTheTest() throws Exception {
    Results results =
        run(classPath(0, false), List.of(), TestNgRun.class, "shop.ng.FloorTests$CheckedNothing");

    assertThat(results.failed()).containsExactly("opensNothing", "run");
    assertThat(results.of("opensNothing"))
        .contains("@NoNativeLeaks has nothing to look at: ")
        .contains("dev.offcut:offcut-handle");
  }
}
