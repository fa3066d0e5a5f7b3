package dev.offcut.bench;

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
final class Suites {
  /** The suite of the Go libraries. It is a program of its own, which the launcher starts. */
  static final String GO = "go";

  /** As measured on two cores. */
  private static final double GO_SECONDS = 276;

  private static final List<Suite> KNOWN =
      List.of(
          new HandleSuite(),
          new LongmapSuite(),
          new MemorySuite(),
          new ObjectstreamSuite(),
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
  static List<String> all() {
    return Stream.concat(names().stream(), Stream.of(GO)).toList();
  }

  /**
   * Seconds of the rounds that a suite needs until its bars are looked at. For Go, a constant: its
   * cases are not here.
   */
  static double seconds(String name) {
    Suite suite = named(name);
    if (suite == null) {
      return GO_SECONDS;
    }
    List<Bar> bars = suite.bars(List.of());
    return suite.cases(false).stream()
        .mapToDouble(of -> of.roundSeconds() + of.furtherSeconds(bars))
        .sum();
  }

  static @Nullable Suite named(String name) {
    return KNOWN.stream().filter(suite -> suite.name().equals(name)).findFirst().orElse(null);
  }
}
