package dev.offcut.retrofit.base.io;

import org.jspecify.annotations.Nullable;

/**
 * Where {@link ElementStream} come from: defined and made here. Nobody but this class asks what is
 * one, since only here it is sure that there is the class. Any thread may use it.
 */
final class ElementStreams {
  /** By name: to mention the class would load it. The build replaces it, as in all texts. */
  private static final String ELEMENT_STREAM = "dev.offcut.retrofit.base.io.ElementStream";

  private static final Stock.Unsafe UNSAFE = Stock.Unsafe.getUnsafe();

  /** Made when it is first needed: a class that fails to initialize would fail for ever. */
  private static volatile @Nullable Class<?> elements;

  /** The field's offset, which is there before the class is. */
  private static long override;

  private ElementStreams() {}

  /**
   * Defined here, when a collection is read: when the stream itself is being loaded, there can be
   * no class that extends it. Without a lock, since other agents are asked about the class: of two
   * threads the one that is late finds what the other defined.
   */
  private static Class<?> elements() throws ClassNotFoundException {
    Class<?> known = elements;
    if (known == null) {
      override = UNSAFE.objectFieldOffset(Stock.Stream.class, "enableOverride");
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
   * For the thread that calls. Null if that cannot be now, for want of stack or heap: then the
   * collection is given the stream, and the next one asks again.
   */
  static @Nullable ElementStream of(Stock.Stream stream, Thread thread) {
    try {
      ElementStream made = (ElementStream) UNSAFE.allocateInstance(elements());
      UNSAFE.putBoolean(made, override, true);
      made.begin(stream, thread);
      return made;
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
}
