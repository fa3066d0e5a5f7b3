package dev.offcut.command;

import dev.offcut.command.read.KnownLibraries;
import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.Recording;

/** A recording of a program that leaks, with known figures. */
public final class Scenario {
  private static final String STORE =
      "com.acme.Store.load(Store.java:88)\ncom.acme.Store.get(Store.java:41)\ncom.acme.Main.main(Main.java:12)";
  private static final String CODEC =
      "com.acme.Codec.encode(Codec.java:31)\ncom.acme.Main.main(Main.java:12)";
  private static final String CACHE =
      "com.acme.Cache.fill(Cache.java:20)\ncom.acme.Main.main(Main.java:14)";

  private final String level;
  private final String version;

  private final long rounds;
  private long resident = 400L << 20;
  private boolean closes;

  Scenario(String level, String version) {
    this(level, version, 1);
  }

  private Scenario(String level, String version, long rounds) {
    this.level = level;
    this.version = version;
    this.rounds = rounds;
  }

  /** The same program, after it ran three times as long. */
  static Scenario later() {
    return new Scenario("full", "0.1.0", 3);
  }

  public static Scenario leaking() {
    return new Scenario("sample", "0.1.0");
  }

  /** A program that forgets objects of libraries, too. */
  static Scenario closing() {
    Scenario scenario = leaking();
    scenario.closes = true;
    return scenario;
  }

  /** Writes it. The events of other tests in this JVM are not in it. */
  public Path write(Path file) throws IOException {
    try (Recording recording = new Recording()) {
      enable(recording);
      recording.start();
      commit();
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  static void enable(Recording recording) {
    for (Class<?> type : TrackingEvents.class.getDeclaredClasses()) {
      recording.enable(type.asSubclass(jdk.jfr.Event.class));
    }
  }

  void commit() {
    configuration();
    kind(
        "arena.confined",
        12_000 * rounds,
        10_993 * rounds,
        0,
        1_000 * rounds,
        7 * rounds,
        (rounds * 448) << 10,
        (rounds * 62_500) << 10);
    kind("arena.shared", 40, 40, 0, 0, 0, 0, 0);
    kind("buffer.direct", 500, 20, 470, 0, 10, 10 << 20, 0);
    kind("jna", 0, 0, 0, 0, 0, 0, 0);
    if (!level.equals("count")) {
      site(
          "arena.confined",
          STORE,
          12_000 * rounds - 2_000,
          0,
          1_000 * rounds - 104,
          7 * rounds - 1);
      site("arena.confined", CACHE, 2_000, 0, 104, 1);
      site("buffer.direct", CACHE, 500, 470, 0, 10);
      if (level.equals("sample")) {
        site("arena.confined.filled", CODEC, 11_000 * rounds, 0, 950 * rounds, 6 * rounds);
      }
    }
    if (closes) {
      closeables();
    }
    memory();
    handles();
    costs();
  }

  private void closeables() {
    kind("closeable:org.rocksdb.RocksIterator", 60_000, 47_595, 0, 12_400, 5, 0, 0);
    site("closeable:org.rocksdb.RocksIterator", STORE, 60_000, 0, 12_400, 5);
    watched("RocksDB", "org.rocksdb.RocksIterator", "nobody", "close each in try-with-resources");
    kind("closeable:sun.nio.ch.FileChannelImpl", 900, 100, 800, 0, 0, 0, 0);
    watched("the JDK", "sun.nio.ch.FileChannelImpl", "cleaner", "close the channel");
    kind("closeable:org.h2.jdbc.JdbcStatement", 900, 0, 900, 0, 0, 0, 0);
    watched("H2", "org.h2.jdbc.JdbcStatement", "collector", "close the statement");
    var missed = new TrackingEvents.WatchedClass();
    missed.rule = "--watch";
    missed.type = "com.acme.NativeThing";
    missed.state = "not loaded";
    missed.detail = "no class of this name has been loaded";
    missed.commit();
  }

  private static void watched(String rule, String type, String freedBy, String advice) {
    var event = new TrackingEvents.WatchedClass();
    event.rule = rule;
    event.type = type;
    event.freedBy = freedBy;
    event.called = type.startsWith("sun.") ? "file channel" : "";
    event.advice = advice;
    event.detail = "opens <init>; closes close";
    event.commit();
  }

  private void configuration() {
    var event = new TrackingEvents.AgentConfiguration();
    event.version = version;
    event.level = level;
    event.sampleEvery = level.equals("sample") ? 128 : 1;
    event.sampleBytes = level.equals("sample") ? 512 << 10 : 0;
    event.stoodDown = "JNA 4.5.2 has no known shape";
    event.commit();
  }

  private static void kind(
      String kind,
      long opened,
      long closed,
      long collected,
      long lost,
      long open,
      long bytes,
      long lostBytes) {
    var event = new TrackingEvents.ResourceStatistics();
    event.kind = kind;
    event.opened = opened;
    event.closed = closed;
    event.collected = collected;
    event.lost = lost;
    event.open = open;
    event.bytes = bytes;
    event.lostBytes = lostBytes;
    event.openedBytes = 2 * (bytes + lostBytes);
    event.peakBytes = bytes + lostBytes;
    event.commit();
  }

  /** Its part of its kind: the sites of a kind add up to the kind's own figures. */
  private void site(String kind, String site, long opened, long collected, long lost, long open) {
    var event = new TrackingEvents.ResourceSite();
    event.kind = kind;
    event.site = site;
    event.line = KnownLibraries.own(site.lines().toList());
    event.opened = opened;
    event.closed = opened - collected - lost - open;
    event.collected = collected;
    event.lost = lost;
    event.open = open;
    if (!kind.startsWith("closeable:")) {
      event.bytes = open * (kind.equals("buffer.direct") ? 1 << 20 : 64 << 10);
      event.lostBytes = lost * 64_000;
    }
    event.samples = level.equals("sample") ? Math.max(1, opened / 128) : opened;
    event.commit();
  }

  private void memory() {
    var event = new TrackingEvents.ProcessMemory();
    event.resident = resident;
    event.residentPeak = 410L << 20;
    event.containerLimit = 512L << 20;
    event.commit();
  }

  private static void handles() {
    var counts = new TrackingEvents.HandleStatistics();
    counts.type = "zstd_ctx";
    counts.opened = 2_100;
    counts.closed = 2_058;
    counts.forgotten = 37;
    counts.open = 5;
    counts.commit();
    var leak = new TrackingEvents.HandleLeak();
    leak.type = "zstd_ctx";
    leak.count = 37;
    leak.site = STORE;
    leak.level = "sample";
    leak.commit();
    var pool = new TrackingEvents.PoolStatistics();
    pool.pool = "blocks";
    pool.limit = 1L << 30;
    pool.reserved = 256L << 20;
    pool.committed = 64L << 20;
    pool.handedOut = 48L << 20;
    pool.used = 40L << 20;
    pool.commit();
    var map = new TrackingEvents.PoolMap();
    map.pool = "blocks";
    map.cell = 4L << 20;
    map.rows = "##########++++++\n................\n" + "_".repeat(32);
    map.commit();
    var owner = new TrackingEvents.OwnerStatistics();
    owner.pool = "blocks";
    owner.owner = "cache.blocks";
    owner.committed = 60L << 20;
    owner.handedOut = 44L << 20;
    owner.used = 38L << 20;
    owner.commit();
  }

  /** On a thread of its own, so that its stack is the same whoever runs the tests. */
  private static void force() {
    for (int i = 0; i < 3; i++) {
      var forced = new TrackingEvents.ForcedCollection();
      forced.requested = 1 << 20;
      forced.commit();
    }
  }

  private static void costs() {
    Thread thread = new Thread(Scenario::force);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    var finalizer = new TrackingEvents.FinalizerClass();
    finalizer.type = "com.acme.OldSocket";
    finalizer.registered = 120_000;
    finalizer.run = 119_000;
    finalizer.commit();
    var saved = new TrackingEvents.SavedWork();
    saved.feature = "object streams";
    saved.done = 250_000;
    saved.saved = 400_000;
    saved.unit = "walks";
    saved.commit();
  }
}
