package dev.offcut.agent.publish;

import dev.offcut.agent.Presence;
import dev.offcut.agent.Tracking;
import dev.offcut.agent.hooks.ProgramEnd;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
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
  static synchronized void register() throws ReflectiveOperationException {
    if (!registered) {
      Ledger.listen(Events::emitForced);
      FlightRecorder.addListener(new Recordings());
      FlightRecorder.addPeriodicEvent(AgentConfiguration.class, emitter(Events::emitConfiguration));
      FlightRecorder.addPeriodicEvent(ResourceStatistics.class, emitter(Events::emitStatistics));
      FlightRecorder.addPeriodicEvent(ResourceSite.class, emitter(ChangedSites::emit));
      FlightRecorder.addPeriodicEvent(FinalizerClass.class, emitter(tracking -> emitFinalizers()));
      FlightRecorder.addPeriodicEvent(SavedWork.class, emitter(Events::emitSaved));
      FlightRecorder.addPeriodicEvent(ProcessMemory.class, emitter(tracking -> emitMemory()));
      registered = true;
    }
  }

  /** What makes the events of one type. */
  private interface Emission {
    void emit(Tracking tracking) throws ReflectiveOperationException;
  }

  private static Runnable emitter(Emission emission) {
    return () -> {
      Tracking tracking = Tracking.installed();
      if (tracking != null) {
        try {
          emission.emit(tracking);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e); // Flight Recorder logs it and goes on
        }
      }
    };
  }

  private static void emitConfiguration(Tracking tracking) throws ReflectiveOperationException {
    // First: what is found to be counted wrongly stands down.
    Ledger.settleAtExit(tracking);
    Ledger.kinds(tracking);
    AgentConfiguration event = new AgentConfiguration();
    event.version = Presence.version();
    event.level = tracking.settings().level().label();
    event.sampleEvery = tracking.every();
    event.sampleBytes = tracking.bytes();
    event.options = tracking.options();
    event.patched = String.join("\n", tracking.patched());
    event.stoodDown = String.join("\n", tracking.stoodDown());
    event.startFailure = ProgramEnd.failure(tracking);
    event.uncaught = ProgramEnd.uncaught();
    event.exitCode = ProgramEnd.exitCode();
    event.attached = tracking.settings().late() ? 1 : 0;
    long[] missed = tracking.missed();
    event.missedBuffers = missed[0];
    event.missedBufferBytes = missed[1];
    event.missedMappedBytes = missed[2];
    event.missedMallocBytes = missed[3];
    event.commit();
    // At the end of a chunk, too: the last numbers are those that count.
    emitStatistics(tracking);
    ChangedSites.emitAll(tracking);
    emitFinalizers();
    emitSaved(tracking);
    emitMemory(); // a program that ends within a second has no other
  }

  private static void emitStatistics(Tracking tracking) throws ReflectiveOperationException {
    Ledger.settleAtExit(tracking);
    for (Ledger.KindCounts kind : Ledger.kinds(tracking)) {
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
      event.proof = kind.proof();
      event.unseen = kind.unseen();
      event.commit();
    }
  }

  private static void emitFinalizers() throws ReflectiveOperationException {
    for (Object[] type : Ledger.finalizers()) {
      FinalizerClass event = new FinalizerClass();
      event.type = (String) type[0];
      event.registered = (Long) type[1];
      event.run = (Long) type[2];
      event.commit();
    }
  }

  private static void emitSaved(Tracking tracking) throws ReflectiveOperationException {
    for (Savings work : Savings.now(Ledger.kinds(tracking))) {
      SavedWork event = new SavedWork();
      event.feature = work.feature();
      event.done = work.done();
      event.saved = work.saved();
      event.unit = work.unit();
      event.commit();
    }
  }

  private static void emitMemory() {
    ProcessStatus status = ProcessStatus.now();
    if (status.resident < 0) {
      return;
    }
    ProcessMemory event = new ProcessMemory();
    event.resident = status.resident;
    event.residentPeak = status.residentPeak;
    event.containerLimit = status.limit;
    event.commit();
  }

  private static void emitForced(long bytes) {
    ForcedCollection event = new ForcedCollection();
    event.requested = bytes;
    event.commit();
  }

  /** Hears of recordings that begin, whoever starts them. */
  private static final class Recordings implements FlightRecorderListener {
    @Override
    public void recordingStateChanged(Recording recording) {
      if (recording.getState() == RecordingState.RUNNING) {
        Ledger.recordingBegan();
      }
    }
  }

  @Name("offcut.AgentConfiguration")
  @Label("Agent Configuration")
  @Category({"Offcut", "Tracking"})
  @Description("The agent that tracks this program, and what it tracks")
  @Period("everyChunk")
  @StackTrace(false)
  static final class AgentConfiguration extends Event {
    @Nullable String version;
    @Nullable String level;

    @Description("Sampling interval: one stack in N openings is recorded; 0 records none")
    int sampleEvery;

    @Description(
        "Second sampling interval: one stack is recorded per N allocated bytes; 0 records none by"
            + " bytes")
    @DataAmount
    int sampleBytes;

    @Nullable String options;
    @Nullable String patched;
    @Nullable String stoodDown;

    @Description("Why the program's main method was never called; known when the JVM ends")
    @Nullable String startFailure;

    @Description("The class of the exception that ended the program's main method")
    @Nullable String uncaught;

    @Description("Exit code of the program; -1 if it runs, or if the code is not known")
    int exitCode;

    @Description("1: the agent was attached to a running program")
    int attached;

    @Description("Direct buffers that were open when the agent came; -1 if that is not known")
    long missedBuffers;

    @Description(
        "Bytes of the direct buffers that were open when the agent came; -1 if that is not known")
    @DataAmount
    long missedBufferBytes;

    @Description("Bytes of files that were mapped when the agent came; -1 if that is not known")
    @DataAmount
    long missedMappedBytes;

    @Description("Bytes of malloc in use before the agent came; -1 if that is not known")
    @DataAmount
    long missedMallocBytes;
  }

  @Name("offcut.ResourceStatistics")
  @Label("Resource Statistics")
  @Category({"Offcut", "Tracking"})
  @Description("Resources of one kind: how many were opened, and what became of them")
  @Period("1 s")
  @StackTrace(false)
  static final class ResourceStatistics extends Event {
    @Nullable String kind;
    long opened;

    @Description("By the program")
    long closed;

    @Description("Freed late, when the collector found them")
    long collected;

    @Description("Never closed, and nothing frees them before the program ends")
    long lost;

    long open;

    @Label("Open Bytes")
    @DataAmount
    long bytes;

    @DataAmount long openedBytes;

    @DataAmount long lostBytes;

    @DataAmount long peakBytes;

    @Description(
        "Which counts the agent's probe has proven on this JDK. none: no count. closed: opened and"
            + " closed. missed: a garbage collection found the probe, but the count missed it. full:"
            + " all counts. refuted: the counts are wrong")
    @Nullable String proof;

    @Description(
        "Closed resources that native code freed unseen. The agent noticed this when the same"
            + " address was opened again")
    long unseen;
  }

  @Name("offcut.ResourceSite")
  @Label("Resource Site")
  @Category({"Offcut", "Tracking"})
  @Description(
      "A call site that opens resources: exact at the level full, else estimated from samples")
  @Period("2 s")
  @StackTrace(false)
  static final class ResourceSite extends Event {
    @Nullable String kind;
    @Nullable String site;

    @Description("Which frame of the site is the line of the program, from 0 on")
    int line;

    @Description("Code sources between that line and what was opened, a line each")
    @Nullable String through;

    long opened;

    @Description("By the program")
    long closed;

    @Description("Freed late, when the collector found them")
    long collected;

    @Description("Never closed, and nothing frees them before the program ends")
    long lost;

    long open;

    @Label("Open Bytes")
    @DataAmount
    long bytes;

    @DataAmount long lostBytes;
    long samples;
  }

  @Name("offcut.ForcedCollection")
  @Label("Forced Collection")
  @Category({"Offcut", "Tracking"})
  @Description("The JDK ran a garbage collection because direct memory was used up")
  static final class ForcedCollection extends Event {
    @DataAmount long requested;
  }

  @Name("offcut.FinalizerClass")
  @Label("Finalizer Class")
  @Category({"Offcut", "Tracking"})
  @Description("A class with a finalizer")
  @Period("10 s")
  @StackTrace(false)
  static final class FinalizerClass extends Event {
    @Nullable String type;
    long registered;
    long run;
  }

  @Name("offcut.SavedWork")
  @Label("Saved Work")
  @Category({"Offcut", "Tracking"})
  @Description("Work that the agent's rewritten classes saved")
  @Period("1 s")
  @StackTrace(false)
  static final class SavedWork extends Event {
    @Nullable String feature;
    long done;
    long saved;
    @Nullable String unit;
  }

  @Name("offcut.ProcessMemory")
  @Label("Process Memory")
  @Category({"Offcut", "Tracking"})
  @Description("Memory of this process, from the system; -1 means unknown or none")
  @Period("1 s")
  @StackTrace(false)
  static final class ProcessMemory extends Event {
    @DataAmount long resident;

    @DataAmount long residentPeak;

    @DataAmount long containerLimit;
  }
}
