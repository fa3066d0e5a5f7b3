package dev.offcut.bench;

import dev.offcut.bench.handle.HandleSuite;
import dev.offcut.bench.leaks.LeaksSuite;
import dev.offcut.bench.longmap.LongmapSuite;
import dev.offcut.bench.memory.MemorySuite;
import dev.offcut.bench.objectstream.ObjectstreamSuite;
import dev.offcut.bench.run.RunSuite;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The suites there are. A new one is a line here. */
final class Suites {
  /** The suite of the Go libraries. It is a program of its own, which the launcher starts. */
  static final String GO = "go";

  /** As measured on two cores. */
  private static final double GO_SECONDS = 276;

  static final List<Suite> KNOWN =
      List.of(
          new HandleSuite(),
          new LongmapSuite(),
          new MemorySuite(),
          new ObjectstreamSuite(),
          new RunSuite(),
          new LeaksSuite());

  private Suites() {}

  /** All names in the order in which they are measured, with the suite that is not in Java. */
  static List<String> names() {
    return Stream.concat(KNOWN.stream().map(Suite::name), Stream.of(GO)).toList();
  }

  /** Seconds that a suite takes; for Go, a constant: its cases are not here. */
  static double seconds(String name, boolean quick) {
    Suite suite = named(name);
    return suite == null
        ? quick ? GO_SECONDS / 5 : GO_SECONDS
        : suite.cases(quick).stream().mapToDouble(Case::seconds).sum();
  }

  static @Nullable Suite named(String name) {
    return KNOWN.stream().filter(suite -> suite.name().equals(name)).findFirst().orElse(null);
  }
}
