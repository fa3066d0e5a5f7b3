package dev.offcut.memory;

import java.util.Arrays;

/** Granule numbers, the lowest first; one may be in it twice. Guarded by the region's lock. */
final class GranuleHeap {
  private int[] heap = new int[4];
  private int size;

  GranuleHeap() {}

  /** The lowest, or -1. */
  int lowest() {
    return size == 0 ? -1 : heap[0];
  }

  /** Adds a granule; false if there is no memory for it. */
  boolean add(int granule) {
    if (size == heap.length && !grow()) {
      return false;
    }
    int at = size++;
    while (at > 0 && heap[(at - 1) / 2] > granule) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = granule;
    return true;
  }

  private boolean grow() {
    try {
      heap = Arrays.copyOf(heap, 2 * size);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  void removeLowest() {
    int last = heap[--size];
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (child >= size || heap[child] >= last) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
  }
}
