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

  /** Those that {@code bench all} measures: not the leaks, which take as long as all others. */
  static List<String> together() {
    return names().stream().filter(name -> !name.equals(LeaksSuite.NAME)).toList();
  }

  static @Nullable Suite named(String name) {
    return KNOWN.stream().filter(suite -> suite.name().equals(name)).findFirst().orElse(null);
  }
}
