package dev.offcut.bench.run;

import java.util.ArrayList;
import java.util.List;

/**
 * One of the programs of {@code java/apps}.
 *
 * @param name of its case
 * @param summary what it does
 * @param main its class
 * @param options for its JVM
 * @param times its work, so that it takes some 20 s of CPU on a core of 2025
 * @param quickTimes likewise for a second, its start included
 */
record App(
    String name, String summary, String main, List<String> options, int times, int quickTimes) {
  private static final String PACKAGE = "dev.offcut.apps.";

  /** Netty without its pool closes a direct buffer for each message, if it may use Unsafe. */
  private static final List<String> UNPOOLED =
      List.of(
          "-Dio.netty.allocator.type=unpooled",
          "-Dio.netty.noUnsafe=false",
          "--sun-misc-unsafe-memory-access=allow");

  static final List<App> ALL =
      List.of(
          new App("oshi", "OSHI asks the system: JNA", "SystemFacts", List.of(), 400, 5),
          new App("lucene", "Lucene: mapped files in arenas", "FullTextSearch", List.of(), 30, 1),
          new App("netty", "Netty echoes, pooled", "EchoUnderLoad", List.of(), 350, 3),
          new App("netty_unpooled", "the same, unpooled", "EchoUnderLoad", UNPOOLED, 350, 3),
          new App("h2", "H2 in a file, with a function", "DatabaseSession", List.of(), 35, 1),
          new App("rmi", "RMI calls with objects", "RemoteCalls", List.of(), 70, 1));

  String mainClass() {
    return PACKAGE + main;
  }

  /** What its JVM is given, after what comes first. */
  List<String> jvm(List<String> first) {
    List<String> jvm = new ArrayList<>(first);
    jvm.addAll(options);
    return jvm;
  }
}
