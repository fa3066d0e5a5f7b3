package dev.offcut.handle;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder events of the net, named in {@code spec/names.json}. Without the module
 * {@code jdk.jfr} there are none.
 */
final class Events {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  /** No lock: who registers waits for the recorder's, whose holder may make the first type. */
  private static final AtomicBoolean REGISTERED = new AtomicBoolean();

  private Events() {}

  /**
   * Registers the periodic events once a recorder is there; the reaper calls it at each look.
   * Before, it would load the recorder into every program: a tenth of a second.
   */
  static void registerOnce() {
    if (!REGISTERED.get() && isRecorderThere() && REGISTERED.compareAndSet(false, true)) {
      Periodic.register();
    }
  }

  /** Takes the periodic events out, with the last counts for a recording that is on. */
  static void unregister() {
    if (REGISTERED.compareAndSet(true, false)) {
      Periodic.unregister();
    }
  }

  /**
   * The same for the first type, on whatever thread makes it: a program may end before the reaper
   * has looked. A failure is not the program's.
   */
  @SuppressWarnings({"removal", "EmptyCatch"})
  static void registerFirst() {
    try {
      AccessController.doPrivileged(
          (PrivilegedAction<@Nullable Void>)
              () -> {
                registerOnce();
                return null;
              });
    } catch (Throwable t) {
      // a full heap, or a recorder that takes no events
    }
  }

  /**
   * Whether the JVM has a recorder. Without one nobody hears an event, and to create the first one
   * would load the recorder: slow, and in a full heap it would stay broken for ever.
   */
  static boolean isRecorderThere() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  static void forgotten(HandleType type, @Nullable Site site, long count) {
    if (isRecorderThere()) {
      HandleLeak event = new HandleLeak();
      if (event.shouldCommit()) {
        event.type = type.name();
        event.count = count;
        event.site = text(site);
        event.level = HandleType.detection().label();
        event.commit();
      }
    }
  }

  static void releaseFailed(String type, Throwable failure) {
    if (isRecorderThere()) {
      ReleaseFailure event = new ReleaseFailure();
      if (event.shouldCommit()) {
        event.type = type;
        event.failure = failure.toString();
        event.commit();
      }
    }
  }

  /** The reaper itself failed, and goes on. Never throws: nobody is left to tell. */
  @SuppressWarnings("EmptyCatch")
  static void netFailed(Throwable failure) {
    try {
      releaseFailed("offcut", failure);
    } catch (Throwable t) {
      // a heap too full for an event
    }
  }

  /** The exception for a use after close, whose event is recorded where it is thrown. */
  static ClosedHandleException usedAfterClose(HandleType type, @Nullable ClosedMark mark) {
    String opened = mark == null ? null : text(mark.opened);
    String closed = mark == null ? null : text(mark.closed);
    recordUseAfterClose(type, opened, closed);
    return new ClosedHandleException(
        type.name()
            + ": used after it was closed"
            + (opened == null ? "" : "; opened at " + first(opened))
            + (closed == null
                ? "; for the closing site: -D" + Detection.PROPERTY + "=full"
                : "; closed at " + first(closed)));
  }

  /** Records, or does not: the caller's exception matters more than a full heap. */
  private static void recordUseAfterClose(
      HandleType type, @Nullable String opened, @Nullable String closed) {
    if (!isRecorderThere()) {
      return;
    }
    try {
      UseAfterClose event = new UseAfterClose();
      if (event.shouldCommit()) {
        event.type = type.name();
        event.opened = opened;
        event.closed = closed;
        event.commit();
      }
    } catch (OutOfMemoryError | LinkageError e) {
      type.noteLost();
    }
  }

  private static String first(String stack) {
    int end = stack.indexOf('\n');
    return end < 0 ? stack : stack.substring(0, end);
  }

  private static @Nullable String text(@Nullable Site site) {
    if (site == null) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    for (StackTraceElement frame : site.frames) {
      text.append(text.isEmpty() ? "" : "\n").append(frame);
    }
    return text.toString();
  }

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new Throwable());
    } catch (Throwable e) {
      // seen once
    }
    try {
      Warmup.raise(new OutOfMemoryError());
    } catch (OutOfMemoryError e) {
      // seen once
    }
    try {
      Warmup.raise(new LinkageError());
    } catch (LinkageError e) {
      // seen once
    }
  }

  /** The recorder knows a periodic event by its hook. */
  private static final class Periodic {
    private static final Runnable CONFIGURATION = Periodic::emitConfiguration;
    private static final Runnable STATISTICS = Periodic::emit;

    private Periodic() {}

    static void register() {
      FlightRecorder.addPeriodicEvent(HandleConfiguration.class, CONFIGURATION);
      FlightRecorder.addPeriodicEvent(HandleStatistics.class, STATISTICS);
    }

    static void unregister() {
      emit();
      FlightRecorder.removePeriodicEvent(CONFIGURATION);
      FlightRecorder.removePeriodicEvent(STATISTICS);
    }

    /** At the end of a chunk, too, where the last numbers are those that count. */
    private static void emitConfiguration() {
      HandleConfiguration event = new HandleConfiguration();
      event.level = HandleType.detection().label();
      event.commit();
      emit();
    }

    private static void emit() {
      for (HandleSnapshot.OfType type : Handles.snapshot().types()) {
        HandleStatistics event = new HandleStatistics();
        event.type = type.name();
        event.opened = type.opened();
        event.closed = type.closed();
        event.forgotten = type.forgotten();
        event.open = type.open();
        event.promoted = type.promoted();
        event.pinned = type.pinned();
        event.failures = type.failures();
        event.oldest = nanos(type.oldest());
        event.commit();
      }
    }

    private static long nanos(Duration age) {
      return age.toNanos();
    }
  }

  @Name("offcut.HandleLeak")
  @Label("Handle Leak")
  @Category({"Offcut", "Handles"})
  @Description("Handles that were forgotten and released by the net")
  @StackTrace(false)
  static final class HandleLeak extends Event {
    @Label("Type")
    @Nullable String type;

    @Label("Forgotten")
    long count;

    @Label("Opening Site")
    @Nullable String site;

    @Label("Detection Level")
    @Nullable String level;
  }

  @Name("offcut.ReleaseFailure")
  @Label("Release Failure")
  @Category({"Offcut", "Handles"})
  @Description("A releaser threw on a thread of the net")
  @StackTrace(false)
  static final class ReleaseFailure extends Event {
    @Label("Type")
    @Nullable String type;

    @Label("Failure")
    @Nullable String failure;
  }

  @Name("offcut.UseAfterClose")
  @Label("Use After Close")
  @Category({"Offcut", "Handles"})
  static final class UseAfterClose extends Event {
    @Label("Type")
    @Nullable String type;

    @Label("Opening Site")
    @Nullable String opened;

    @Label("Closing Site")
    @Nullable String closed;
  }

  @Name("offcut.HandleConfiguration")
  @Label("Handle Configuration")
  @Category({"Offcut", "Handles"})
  @Description("How the library was set; statistics come with it")
  @Period("everyChunk")
  @StackTrace(false)
  static final class HandleConfiguration extends Event {
    @Label("Detection Level")
    @Nullable String level;
  }

  @Name("offcut.HandleStatistics")
  @Label("Handle Statistics")
  @Category({"Offcut", "Handles"})
  @Period("10 s")
  @StackTrace(false)
  static final class HandleStatistics extends Event {
    @Label("Type")
    @Nullable String type;

    @Label("Opened")
    long opened;

    @Label("Closed")
    long closed;

    @Label("Forgotten")
    long forgotten;

    @Label("Open")
    long open;

    @Label("Promoted")
    long promoted;

    @Label("Pinned")
    long pinned;

    @Label("Failures")
    long failures;

    @Label("Oldest")
    @Timespan(Timespan.NANOSECONDS)
    long oldest;
  }
}
