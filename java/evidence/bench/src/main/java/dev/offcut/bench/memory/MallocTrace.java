package dev.offcut.bench.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * The blocks that a program took and freed, in the order in which it did: a recording in the form
 * of {@code spec/malloc-trace.md}. Each block has a slot while it lives; slots are used again.
 *
 * @param sizes of each step, the bytes of the block that is taken, or 0 if one is freed
 * @param slots of each step, where the block lies
 * @param slotCount how many slots are needed
 * @param peakStep the number of steps after which most bytes live
 */
@SuppressWarnings("ArrayRecordComponent") // read by benchmarks, and never compared
record MallocTrace(int[] sizes, int[] slots, int slotCount, int peakStep) {
  /** A block holds a number, by which it is found again. */
  private static final int LEAST_BYTES = Long.BYTES;

  /** One of the recordings that are kept. */
  static MallocTrace named(String name) {
    String file = "/malloc-traces/" + name + ".txt.gz";
    try (InputStream from = MallocTrace.class.getResourceAsStream(file)) {
      if (from == null) {
        throw new IllegalArgumentException("there is no recording " + name);
      }
      return read(
          new BufferedReader(
              new InputStreamReader(new GZIPInputStream(from), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static MallocTrace read(BufferedReader from) {
    Builder builder = new Builder();
    from.lines()
        .filter(line -> !line.startsWith("#"))
        .flatMap(line -> Arrays.stream(line.split(" ", -1)))
        .filter(word -> !word.isEmpty())
        .forEach(builder::word);
    return builder.build();
  }

  /** With what lives at the end freed, from the first slot on, so that it can be played again. */
  MallocTrace closed() {
    boolean[] lives = new boolean[slotCount];
    for (int i = 0; i < sizes.length; i++) {
      lives[slots[i]] = sizes[i] > 0;
    }
    int[] left = IntStream.range(0, slotCount).filter(slot -> lives[slot]).toArray();
    int[] allSizes = Arrays.copyOf(sizes, sizes.length + left.length);
    int[] allSlots = Arrays.copyOf(slots, sizes.length + left.length);
    System.arraycopy(left, 0, allSlots, sizes.length, left.length);
    return new MallocTrace(allSizes, allSlots, slotCount, peakStep);
  }

  private static final class Builder {
    private final IntStream.Builder sizes = IntStream.builder();
    private final IntStream.Builder slots = IntStream.builder();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();

    /** By the number of the block: its slot and its size, which is 0 once it is freed. */
    private int[] slotOf = new int[1024];

    private int[] sizeOf = new int[1024];
    private int takes;
    private int slotCount;
    private int steps;
    private int peakStep;
    private long live;
    private long peak;

    void word(String word) {
      int times = word.indexOf('x');
      int step = Integer.parseInt(times < 0 ? word : word.substring(0, times));
      for (int i = times < 0 ? 1 : Integer.parseInt(word.substring(times + 1)); i > 0; i--) {
        if (step > 0) {
          take(Math.max(step, LEAST_BYTES));
        } else {
          free(takes + step, word);
        }
      }
    }

    private void take(int bytes) {
      if (takes == slotOf.length) {
        slotOf = Arrays.copyOf(slotOf, 2 * takes);
        sizeOf = Arrays.copyOf(sizeOf, 2 * takes);
      }
      int slot = freeSlots.isEmpty() ? slotCount++ : freeSlots.pop();
      slotOf[takes] = slot;
      sizeOf[takes] = bytes;
      takes++;
      step(bytes, slot);
      live += bytes;
      if (live > peak) {
        peak = live;
        peakStep = steps;
      }
    }

    private void free(int block, String word) {
      if (block < 0 || block >= takes || sizeOf[block] == 0) {
        throw new IllegalArgumentException(
            "step %,d, %s, frees no block that lives".formatted(steps, word));
      }
      live -= sizeOf[block];
      sizeOf[block] = 0;
      step(0, slotOf[block]);
      freeSlots.push(slotOf[block]);
    }

    private void step(int bytes, int slot) {
      sizes.add(bytes);
      slots.add(slot);
      steps++;
    }

    MallocTrace build() {
      return new MallocTrace(sizes.build().toArray(), slots.build().toArray(), slotCount, peakStep);
    }
  }
}
