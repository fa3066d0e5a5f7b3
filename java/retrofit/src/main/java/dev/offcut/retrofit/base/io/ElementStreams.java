package dev.offcut.retrofit.base.io;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link ElementStream} come from: defined and made here, and kept for the next collection.
 * Nobody but this class asks what is one, since only here it is sure that there is the class. Any
 * thread may use it.
 */
final class ElementStreams {
  private static final int PLACES = 16;

  private static final AtomicReferenceArray<@Nullable ElementStream> KEPT =
      new AtomicReferenceArray<>(PLACES);

  /** By name: to mention the class would load it. The build replaces it, as in all texts. */
  private static final String ELEMENT_STREAM = "dev.offcut.retrofit.base.io.ElementStream";

  private static final Stock.Unsafe UNSAFE = Stock.Unsafe.getUnsafe();

  /** Made when it is first needed: a class that fails to initialize would fail for ever. */
  private static volatile @Nullable Class<?> elements;

  private ElementStreams() {}

  /**
   * Defined here, when a collection is read: when the stream itself is being loaded, there can be
   * no class that extends it. Without a lock, since other agents are asked about the class: of two
   * threads the one that is late finds what the other defined.
   */
  private static Class<?> elements() throws ClassNotFoundException {
    Class<?> known = elements;
    if (known == null) {
      known = define(StreamSettings.elementStream());
      elements = known;
    }
    return known;
  }

  private static Class<?> define(byte[] file) throws ClassNotFoundException {
    try {
      return UNSAFE.defineClass(ELEMENT_STREAM, file, 0, file.length, null, null);
    } catch (LinkageError e) {
      return Class.forName(ELEMENT_STREAM, false, null);
    }
  }

  /**
   * For the thread that calls, until it gives it back. Null if that cannot be now, for want of
   * stack or heap: then the collection is given the stream, and the next one asks again.
   */
  static @Nullable ElementStream take(Stock.Stream stream, Thread thread) {
    try {
      int place = place(thread);
      // A look before the exchange: what is not there is not asked for.
      ElementStream kept = KEPT.getPlain(place) == null ? null : KEPT.getAndSet(place, null);
      ElementStream taken = kept == null ? make() : kept;
      taken.begin(stream, thread);
      return taken;
    } catch (Throwable e) {
      return null;
    }
  }

  /** Whether these are what this thread reads a collection of the stream with. */
  static boolean isFor(Stock.Stream elements, Stock.Stream stream) {
    return elements instanceof ElementStream known && known.isFor(stream);
  }

  /** The stream behind what a collection was given, or the stream that was given. */
  static Stock.Stream behind(Stock.Stream given) {
    // As long as there is no such class, the question would fail.
    return elements != null && given instanceof ElementStream known ? known.stream() : given;
  }

  private static ElementStream make() throws ClassNotFoundException, InstantiationException {
    ElementStream made = (ElementStream) UNSAFE.allocateInstance(elements());
    long override = UNSAFE.objectFieldOffset(Stock.Stream.class, "enableOverride");
    UNSAFE.putBoolean(made, override, true);
    return made;
  }

  static void give(ElementStream elements, Thread thread) {
    elements.end();
    // Release: who takes it sees that it has ended. One that is there already is dropped.
    KEPT.setRelease(place(thread), elements);
  }

  private static int place(Thread thread) {
    return System.identityHashCode(thread) & (PLACES - 1);
  }
}
