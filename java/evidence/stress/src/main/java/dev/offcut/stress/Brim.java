package dev.offcut.stress;

import org.jspecify.annotations.Nullable;

/**
 * Fills the heap to the brim: big arrays first, then objects of 16 bytes, so that not even the
 * smallest allocation is left. Meant for a heap of some MiB, without allocation buffers ({@code
 * -XX:-UseTLAB}).
 */
final class Brim {
  private static volatile @Nullable Object @Nullable [] arrays;
  private static volatile @Nullable Link links;

  private Brim() {}

  /** 16 bytes with compressed references. */
  private static final class Link {
    final @Nullable Link next;

    Link(@Nullable Link next) {
      this.next = next;
    }
  }

  static void fill() {
    for (int size = 1 << 16; size > 8; size /= 2) {
      fillWith(size);
    }
    top();
  }

  /** Fills what is free again in small pieces: what was spilled and not used, and garbage. */
  static void top() {
    try {
      while (true) {
        links = new Link(links);
      }
    } catch (OutOfMemoryError e) {
      // full
    }
  }

  private static void fillWith(int size) {
    try {
      while (true) {
        @Nullable Object[] array = new Object[size];
        array[0] = arrays;
        arrays = array;
      }
    } catch (OutOfMemoryError e) {
      // the next smaller size
    }
  }

  /** Gives some 16-byte objects back. */
  static void spill(int count) {
    for (int i = 0; i < count; i++) {
      Link first = links;
      if (first == null) {
        @Nullable Object[] array = arrays;
        arrays = array == null ? null : (@Nullable Object[]) array[0];
        return;
      }
      links = first.next;
    }
  }

  static void empty() {
    links = null;
    arrays = null;
  }
}
