package dev.offcut.bench.handle;

import dev.offcut.bench.handle.Subject.Closing;
import dev.offcut.bench.handle.Subject.PlainHandle;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/** {@code open_close}: a handle that is opened and closed at once. */
@State(Scope.Thread)
public class OpenClose {
  @Param("plain")
  public String impl = "";

  private static boolean keeps;
  private static @Nullable Object kept;

  private Subject subject = PlainHandle::new;
  private int value;
  private long closed;

  @Setup
  public void setUp(ThreadParams thread) {
    subject = Subject.of(impl);
    value = (thread.getThreadIndex() + 1) * Resource.STRIDE;
  }

  @Benchmark
  public void openClose() {
    Closing handle = subject.open(value);
    escape(handle);
    handle.close();
    closed++;
  }

  /**
   * So that every handle becomes an object in the heap, as one that is passed to a program's own
   * code does. A store would cost more than a plain object does.
   */
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  static void escape(Object handle) {
    if (keeps) {
      kept = handle;
    }
  }

  static @Nullable Object kept() {
    return kept;
  }

  /** Each operation released exactly once, or the figures mean nothing. */
  @TearDown
  public void check() {
    long released = Resource.releases(value);
    if (released != closed) {
      throw new AssertionError(closed + " closed, " + released + " released");
    }
  }
}
