package dev.offcut.bench;

import dev.offcut.bench.handle.HandleSuite;
import dev.offcut.bench.longmap.LongmapSuite;
import dev.offcut.bench.memory.MemorySuite;
import dev.offcut.bench.objectstream.ObjectstreamSuite;
import dev.offcut.bench.replay.ReplaySuite;
import dev.offcut.bench.run.RunSuite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The suites there are. A new one is a line here. */
final class Suites {
  /** The suite of the Go libraries. It is a program of its own, which the launcher starts. */
  static final String GO = "go";

  private static final List<Suite> KNOWN =
      List.of(
          new HandleSuite(),
          new LongmapSuite(),
          new MemorySuite(),
          new ObjectstreamSuite(),
          new ReplaySuite(),
          new RunSuite());

  private Suites() {}

  static List<Suite> known() {
    return KNOWN;
  }

  static List<String> names() {
    return KNOWN.stream().map(Suite::name).toList();
  }

  static @Nullable Suite named(String name) {
    return KNOWN.stream().filter(suite -> suite.name().equals(name)).findFirst().orElse(null);
  }
}
