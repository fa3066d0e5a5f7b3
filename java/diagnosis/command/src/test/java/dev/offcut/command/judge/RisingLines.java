package dev.offcut.command.judge;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenFields;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** A program of 30 seconds whose lines open resources. */
abstract class RisingLines {
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  static final int SECONDS = 30;

  static final String LINE = "com.acme.Orders.load(Orders.java:88)";
  static final String OTHER = "com.acme.Orders.send(Orders.java:99)";
  static final String LIBRARY = "org.lib.Client.<init>(Client.java:1)";
  static final String JDK = "java.lang.Thread.start(Thread.java:1)";

  static final String THREAD = "java.lang.Thread";
  static final String SELECTOR = "sun.nio.ch.SelectorImpl";
  static final String FILE = "java.io.FileInputStream";
  static final String JAR = "java.util.zip.ZipFile";
  static final String SOCKET = "sun.nio.ch.NioSocketImpl";

  final DigestBuilder builder = new DigestBuilder();
  String owner = "\n\n";
  Instant ending = Instant.EPOCH;
  boolean areClosedAtExit;

  /** How many were open in each second, of so many that were closed besides. */
  void line(String type, String frame, int closed, IntUnaryOperator course) {
    String kind = "closeable:" + type;
    long atEnd = course.applyAsInt(SECONDS);
    long open = areClosedAtExit ? 0 : atEnd;
    Map<String, Object> counts =
        Map.of(
            "kind", kind, "opened", atEnd + closed, "closed", atEnd + closed - open, "open", open);
    take("offcut.ResourceStatistics", counts);
    String site = LIBRARY + "\n" + frame;
    String kept = frame.equals(JDK) ? JDK : site;
    Map<String, Object> row = new HashMap<>(counts);
    row.putAll(
        Map.of(
            "site",
            kept,
            "line",
            kept.equals(JDK) ? 0L : 1L,
            "samples",
            open + closed,
            "through",
            "lib.jar"));
    take("offcut.ResourceSite", row);
    Map<String, Object> points = new HashMap<>(Map.of("kind", kind, "site", kept, "owner", owner));
    for (int second = 0; second <= SECONDS; second++) {
      long millis = BEGIN.plusSeconds(second).toEpochMilli();
      points.put("p" + second, millis << 20 | course.applyAsInt(second));
    }
    points.put("points", SECONDS + 1L);
    take("offcut.OpenOverTime", points);
  }

  void take(String name, Map<String, Object> fields) {
    builder.take(new GivenFields(name, BEGIN.plusSeconds(SECONDS), fields));
  }

  List<Finding> findings() {
    take(
        "offcut.AgentConfiguration",
        Map.of("level", "full", "version", "", "sampleEvery", 1L, "ending", ending));
    builder.take(new GivenFields("offcut.Begin", BEGIN, Map.of()));
    Digest digest = builder.digest(true);
    return digest.findings();
  }

  List<String> titles() {
    return findings().stream()
        .map(one -> one.severity() + " " + one.title().replaceFirst(": [0-9,]+ more a minute$", ""))
        .toList();
  }
}
