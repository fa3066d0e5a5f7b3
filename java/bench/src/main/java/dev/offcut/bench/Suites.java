package dev.offcut.bench;

import dev.offcut.bench.Sides.GoSides;
import dev.offcut.bench.contention.ContentionSuite;
import dev.offcut.bench.handle.HandleSuite;
import dev.offcut.bench.leaks.LeaksSuite;
import dev.offcut.bench.longmap.LongmapSuite;
import dev.offcut.bench.memory.MemorySuite;
import dev.offcut.bench.objectstream.ObjectstreamSuite;
import dev.offcut.bench.replay.ReplaySuite;
import dev.offcut.bench.run.RunSuite;
import dev.offcut.bench.sqlite.SqliteSuite;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The suites there are. A new one is a line here. */
public final class Suites {
  /** The suite of the Go libraries. It is a program of its own, which the launcher starts. */
  public static final String GO = "go";

  // As measured on two cores.
  private static final double GO_SECONDS = 92;
  private static final double GO_FURTHER_SECONDS = 184;

  private static final List<Suite> KNOWN =
      List.of(
          new HandleSuite(),
          new LongmapSuite(),
          new MemorySuite(),
          new ObjectstreamSuite(),
          new ContentionSuite(),
          new SqliteSuite(),
          new ReplaySuite(),
          new RunSuite(),
          new LeaksSuite());

  private Suites() {}

  static List<Suite> known() {
    return KNOWN;
  }

  static List<String> names() {
    return KNOWN.stream().map(Suite::name).toList();
  }

  /** All names in the order in which they are measured, with the suite that is not in Java. */
  public static List<String> all() {
    return Stream.concat(names().stream(), Stream.of(GO)).toList();
  }

  /** What the rows of a suite mean, also of that which is not in Java; null if there is none. */
  public static @Nullable Sides sides(String name) {
    return name.equals(GO) ? new GoSides() : named(name);
  }

  /**
   * Seconds of one round of all cases of a suite, with its headlines on these JDKs, too. For Go, a
   * constant: its cases are not here.
   */
  public static double roundSeconds(String name, List<Jdk> jdks) {
    Suite suite = named(name);
    return suite == null
        ? GO_SECONDS
        : suite.cases(false).stream().mapToDouble(of -> of.on(jdks).roundSeconds()).sum();
  }

  /** Seconds of the further rounds that its bars need until they are looked at, on these JDKs. */
  public static double furtherSeconds(String name, List<Jdk> jdks) {
    Suite suite = named(name);
    if (suite == null) {
      return GO_FURTHER_SECONDS;
    }
    List<Bar> bars = suite.bars(jdks);
    return suite.cases(false).stream().mapToDouble(of -> of.on(jdks).furtherSeconds(bars)).sum();
  }

  /** The cases of a suite that are measured on other JDKs, too. */
  public static List<Case> headlines(String name) {
    Suite suite = named(name);
    return suite == null
        ? List.of()
        : suite.cases(false).stream().filter(of -> of.headline() != null).toList();
  }

  static @Nullable Suite named(String name) {
    return KNOWN.stream().filter(suite -> suite.name().equals(name)).findFirst().orElse(null);
  }
}
