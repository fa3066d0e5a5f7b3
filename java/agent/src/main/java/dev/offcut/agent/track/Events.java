package dev.offcut.agent.track;

import dev.offcut.agent.Presence;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder events of what is tracked, named in {@code spec/names.json}. They are the
 * agent's: the helpers in java.base only count. Loaded once there is a recorder.
 */
final class Events {
  private static boolean registered;

  private Events() {}

  /** Registers the periodic ones, once. */
  static synchronized void register() {
    if (!registered) {
      registered = true;
      FlightRecorder.addPeriodicEvent(AgentConfiguration.class, new Emitter(0));
      FlightRecorder.addPeriodicEvent(ResourceStatistics.class, new Emitter(1));
      FlightRecorder.addPeriodicEvent(ResourceSite.class, new Emitter(2));
    }
  }

  /** Classes of their own would cost the start more, and so would lambdas. */
  private record Emitter(int which) implements Runnable {
    @Override
    public void run() {
      Tracking tracking = Tracking.installed();
      if (tracking == null) {
        return;
      }
      try {
        switch (which) {
          case 0 -> emitConfiguration(tracking);
          case 1 -> emitStatistics(tracking);
          default -> emitSites(tracking);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e); // Flight Recorder logs it and goes on
      }
    }
  }

  private static void emitConfiguration(Tracking tracking) throws ReflectiveOperationException {
    AgentConfiguration event = new AgentConfiguration();
    event.version = Presence.version();
    event.level = tracking.settings().level().label();
    event.sampleEvery = tracking.every();
    event.options = tracking.options();
    event.patched = String.join("\n", tracking.patched());
    event.stoodDown = String.join("\n", tracking.stoodDown());
    event.commit();
    // At the end of a chunk, too: the last numbers are those that count.
    emitStatistics(tracking);
    emitSites(tracking);
  }

  private static void emitStatistics(Tracking tracking) throws ReflectiveOperationException {
    Ledger.settleAtExit(tracking);
    for (KindCounts kind : Ledger.kinds(tracking)) {
      ResourceStatistics event = new ResourceStatistics();
      event.kind = kind.kind();
      event.opened = kind.opened();
      event.closed = kind.closed();
      event.collected = kind.collected();
      event.lost = kind.lost();
      event.open = kind.open();
      event.bytes = kind.bytes();
      event.openedBytes = kind.openedBytes();
      event.lostBytes = kind.lostBytes();
      event.peakBytes = kind.peakBytes();
      event.commit();
    }
  }

  private static void emitSites(Tracking tracking) throws ReflectiveOperationException {
    Ledger.settleAtExit(tracking);
    List<SiteCounts> sites = Ledger.sites();
    for (SiteCounts site : sites) {
      ResourceSite event = new ResourceSite();
      event.kind = site.kind();
      event.site = site.frames();
      event.opened = site.opened();
      event.closed = site.closed();
      event.collected = site.collected();
      event.lost = site.lost();
      event.open = site.open();
      event.bytes = site.bytes();
      event.lostBytes = site.lostBytes();
      event.samples = site.samples();
      event.commit();
    }
  }

  @Name("offcut.AgentConfiguration")
  @Label("Agent Configuration")
  @Category({"Offcut", "Tracking"})
  @Description("The agent that tracks this program, and what it tracks")
  @Period("everyChunk")
  @StackTrace(false)
  static final class AgentConfiguration extends Event {
    @Label("Version")
    @Nullable String version;

    @Label("Level")
    @Nullable String level;

    @Label("Sample Every")
    @Description("One opening in so many leaves its stack; 0 is none")
    int sampleEvery;

    @Label("Options")
    @Nullable String options;

    @Label("Patched")
    @Nullable String patched;

    @Label("Stood Down")
    @Nullable String stoodDown;
  }

  @Name("offcut.ResourceStatistics")
  @Label("Resource Statistics")
  @Category({"Offcut", "Tracking"})
  @Description("What was opened of a kind, and what became of it")
  @Period("1 s")
  @StackTrace(false)
  static final class ResourceStatistics extends Event {
    @Label("Kind")
    @Nullable String kind;

    @Label("Opened")
    long opened;

    @Label("Closed")
    @Description("By the program")
    long closed;

    @Label("Collected")
    @Description("Freed late, when the collector found them")
    long collected;

    @Label("Lost")
    @Description("Nobody can free them any more")
    long lost;

    @Label("Open")
    long open;

    @Label("Open Bytes")
    @DataAmount
    long bytes;

    @Label("Opened Bytes")
    @DataAmount
    long openedBytes;

    @Label("Lost Bytes")
    @DataAmount
    long lostBytes;

    @Label("Peak Bytes")
    @DataAmount
    long peakBytes;
  }

  @Name("offcut.ResourceSite")
  @Label("Resource Site")
  @Category({"Offcut", "Tracking"})
  @Description("A place that opens resources: exact at the level full, else estimated from samples")
  @Period("10 s")
  @StackTrace(false)
  static final class ResourceSite extends Event {
    @Label("Kind")
    @Nullable String kind;

    @Label("Site")
    @Nullable String site;

    @Label("Opened")
    long opened;

    @Label("Closed")
    @Description("By the program")
    long closed;

    @Label("Collected")
    @Description("Freed late, when the collector found them")
    long collected;

    @Label("Lost")
    @Description("Nobody can free them any more")
    long lost;

    @Label("Open")
    long open;

    @Label("Open Bytes")
    @DataAmount
    long bytes;

    @Label("Lost Bytes")
    @DataAmount
    long lostBytes;

    @Label("Samples")
    long samples;
  }
}
