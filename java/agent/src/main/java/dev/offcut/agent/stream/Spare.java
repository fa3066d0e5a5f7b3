package dev.offcut.agent.stream;

import dev.offcut.agent.stream.jdk.StockStream;
import dev.offcut.agent.stream.jdk.StockUnsafe;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link Elements} come from: defined and made here, and kept for the next collection. Nobody
 * but this class asks what is one, since only here it is sure that there is the class. Any thread
 * may use it.
 */
final class Spare {
  private static final int PLACES = 16;

  private static final AtomicReferenceArray<@Nullable Elements> KEPT =
      new AtomicReferenceArray<>(PLACES);

  private static final StockUnsafe UNSAFE = StockUnsafe.getUnsafe();

  /**
   * Defined here, since this is first used when a collection is read: earlier, when the stream
   * itself is being loaded, there can be no class that extends it.
   */
  private static final Class<?> ELEMENTS = define(Told.ELEMENTS);

  private static final long OVERRIDE =
      UNSAFE.objectFieldOffset(StockStream.class, StreamClass.OVERRIDE);

  private Spare() {}

  private static Class<?> define(String file) {
    byte[] bytes = new byte[file.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) file.charAt(i);
    }
    return UNSAFE.defineClass(Told.ELEMENTS_NAME, bytes, 0, bytes.length, null, null);
  }

  /** For the thread that calls, until it gives it back. */
  static Elements take(StockStream stream, Thread thread) {
    int place = place(thread);
    // A look before the exchange: what is not there is not asked for.
    Elements kept = KEPT.getPlain(place) == null ? null : KEPT.getAndSet(place, null);
    Elements elements = kept == null ? make() : kept;
    elements.begin(stream, thread);
    return elements;
  }

  /** Whether these are what this thread reads a collection of the stream with. */
  static boolean isFor(StockStream elements, StockStream stream) {
    return elements instanceof Elements known && known.isFor(stream);
  }

  /** The stream behind what a collection was given, or the stream that was given. */
  static StockStream behind(StockStream given) {
    return given instanceof Elements elements ? elements.stream() : given;
  }

  private static Elements make() {
    try {
      Elements made = (Elements) UNSAFE.allocateInstance(ELEMENTS);
      UNSAFE.putBoolean(made, OVERRIDE, true);
      return made;
    } catch (InstantiationException e) {
      throw new InternalError(e);
    }
  }

  static void give(Elements elements, Thread thread) {
    elements.end();
    // Release: who takes it sees that it has ended. One that is there already is dropped.
    KEPT.setRelease(place(thread), elements);
  }

  private static int place(Thread thread) {
    return System.identityHashCode(thread) & (PLACES - 1);
  }
}
