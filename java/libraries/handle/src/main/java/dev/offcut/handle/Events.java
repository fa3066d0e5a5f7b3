package dev.offcut.handle;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder events of single handles, named in {@code spec/names.json}. Without the
 * module {@code jdk.jfr} there are none. {@code Statistics} has the periodic ones.
 */
final class Events {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Events() {}

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
        event.type = type.name;
        event.count = count;
        event.site = text(site);
        event.level = Detection.current().label();
        event.commit();
      }
    }
  }

  /** Never throws: nobody is left to tell. */
  @SuppressWarnings("EmptyCatch")
  static void releaseFailed(String type, Throwable failure) {
    try {
      if (isRecorderThere()) {
        ReleaseFailure event = new ReleaseFailure();
        if (event.shouldCommit()) {
          event.type = type;
          event.failure = failure.toString();
          event.commit();
        }
      }
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
        type.name
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
        event.type = type.name;
        event.opened = opened;
        event.closed = closed;
        event.commit();
      }
    } catch (OutOfMemoryError | LinkageError e) {
      return; // the exception tells the caller
    }
  }

  /**
   * The link of a closed handle at the levels that record sites: where it was opened and closed.
   */
  static final class ClosedMark {
    final @Nullable Site opened;
    final @Nullable Site closed;

    private ClosedMark(@Nullable Site opened, @Nullable Site closed) {
      this.opened = opened;
      this.closed = closed;
    }

    /** A mark for a handle opened at {@code opened}, or null where nothing is to be remembered. */
    static @Nullable ClosedMark of(@Nullable Site opened) {
      boolean full = Detection.recordsClosing(opened != null && opened.scope != null);
      if (opened == null && !full) {
        return null;
      }
      try {
        return new ClosedMark(opened, full ? Site.here() : null);
      } catch (OutOfMemoryError e) {
        return null; // closing matters more than remembering where
      }
    }
  }

  private static String first(String stack) {
    int end = stack.indexOf('\n');
    return end < 0 ? stack : stack.substring(0, end);
  }

  private static @Nullable String text(@Nullable Site site) {
    return site == null ? null : Site.text(site.frames);
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
}
