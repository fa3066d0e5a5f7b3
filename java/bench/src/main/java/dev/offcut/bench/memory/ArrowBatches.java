package dev.offcut.bench.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.offcut.arrow.OffcutAllocationManagerFactory;
import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.jspecify.annotations.Nullable;

/**
 * {@code arrow_…}: batches of vectors built, one after the other. A new one takes the place of the
 * oldest, whose values are checked before it is closed.
 *
 * <p>Arguments: implementation, shape, threads, CPU seconds of warm-up, seconds of measurement. The
 * implementations {@code arrow} and {@code arrow-netty} are what Arrow finds by itself: {@code
 * -Darrow.allocation.manager.type} says which. {@code offcut-arrow} and {@code offcut-arrow-plain}
 * are ours with a handle for each buffer and without.
 */
final class ArrowBatches {
  /** Rows that a growing vector has room for at first. */
  private static final int FIRST_ROWS = 8;

  private ArrowBatches() {}

  public static void main(String[] args) throws InterruptedException {
    Shape shape = Shape.valueOf(args[1]);
    int threads = Integer.parseInt(args[2]);
    try (Memory memory = Memory.of(args[0])) {
      List<Batches> works =
          IntStream.range(0, threads).mapToObj(i -> new Batches(memory.root, shape, i)).toList();
      Workers.run(works, Child.nanos(args[3]), Child.nanos(args[4])).report();
    }
  }

  /** What a batch is like. */
  enum Shape {
    /** 50 rows, for which room is made before. */
    ROWS_50(16, 50),
    /** 1,000 rows, for which room is made before. */
    ROWS_1000(16, 1000),
    /** 1,000 rows, for which the vectors grow by themselves, from a few. */
    GROWING(16, 1000),
    /** 1 to 4,000 rows, few more often than many; many batches live. */
    MIXED(64, 4000);

    private final int live;
    private final int mostRows;

    Shape(int live, int mostRows) {
      this.live = live;
      this.mostRows = mostRows;
    }

    /** How many rows the batches have, drawn beforehand: a power of two of them. */
    private int[] rows(int seed) {
      if (this != MIXED) {
        return new int[] {mostRows};
      }
      SplittableRandom random = new SplittableRandom(seed);
      return IntStream.range(0, 1024)
          .map(i -> (int) Math.pow(mostRows, random.nextDouble()))
          .toArray();
    }
  }

  /** A root allocator over one implementation. */
  private static final class Memory implements AutoCloseable {
    private final BufferAllocator root;
    private final @Nullable OffcutAllocationManagerFactory factory;

    private Memory(BufferAllocator root, @Nullable OffcutAllocationManagerFactory factory) {
      this.root = root;
      this.factory = factory;
    }

    static Memory of(String impl) {
      return switch (impl) {
        case MemoryCases.ARROW -> found("org.apache.arrow.memory.unsafe", "arrow-memory-unsafe");
        case MemoryCases.ARROW_NETTY ->
            found("org.apache.arrow.memory.netty", "arrow-memory-netty");
        case MemoryCases.OFFCUT_ARROW -> on(OffcutAllocationManagerFactory.on(owner()));
        case MemoryCases.OFFCUT_ARROW_PLAIN ->
            on(OffcutAllocationManagerFactory.withoutNet(owner()));
        default -> throw new IllegalArgumentException("no implementation " + impl);
      };
    }

    private static Owner owner() {
      return MemoryPool.named("bench").create().owner();
    }

    private static Memory on(OffcutAllocationManagerFactory factory) {
      return new Memory(factory.newRootAllocator(), factory);
    }

    /** What Arrow finds by itself. Other jars may have a class of the same name. */
    private static Memory found(String inPackage, String jar) {
      Memory memory = new Memory(new RootAllocator(), null);
      try {
        String name = inPackage + ".DefaultAllocationManagerFactory";
        URL from = Class.forName(name).getProtectionDomain().getCodeSource().getLocation();
        if (!from.getPath().contains(jar)) {
          throw new IllegalStateException(name + " is from " + from + ", not from " + jar);
        }
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
      return memory;
    }

    @Override
    public void close() {
      root.close();
      if (factory != null) {
        factory.close();
        factory.owner().pool().close();
      }
    }
  }

  /** Eight columns, and how they are filled. */
  private static final class Batch implements AutoCloseable {
    private static final byte[] TEXT = "an order of three articles".getBytes(US_ASCII);

    private final int rows;
    private final long stamp;
    private final IntVector[] ints = new IntVector[4];
    private final BigIntVector[] longs = new BigIntVector[2];
    private final Float8Vector doubles;
    private final VarCharVector texts;

    Batch(BufferAllocator allocator, int rows, long stamp) {
      this.rows = rows;
      this.stamp = stamp;
      Arrays.setAll(ints, i -> new IntVector("int", allocator));
      Arrays.setAll(longs, i -> new BigIntVector("long", allocator));
      doubles = new Float8Vector("double", allocator);
      texts = new VarCharVector("text", allocator);
    }

    /** Fills it; room for all rows is there before, or the vectors grow from a few. */
    void fill(boolean growing) {
      int room = growing ? FIRST_ROWS : rows;
      for (IntVector vector : ints) {
        vector.allocateNew(room);
        for (int row = 0; row < rows; row++) {
          vector.setSafe(row, (int) stamp + row);
        }
        vector.setValueCount(rows);
      }
      for (BigIntVector vector : longs) {
        vector.allocateNew(room);
        for (int row = 0; row < rows; row++) {
          vector.setSafe(row, stamp + row);
        }
        vector.setValueCount(rows);
      }
      doubles.allocateNew(room);
      for (int row = 0; row < rows; row++) {
        doubles.setSafe(row, (double) (stamp + row));
      }
      doubles.setValueCount(rows);
      texts.allocateNew((long) room * TEXT.length, room);
      for (int row = 0; row < rows; row++) {
        texts.setSafe(row, TEXT, 0, 1 + (int) (stamp + row & 15));
      }
      texts.setValueCount(rows);
    }

    /** Checks the last row. */
    private void check() {
      int last = rows - 1;
      boolean whole = doubles.get(last) == (double) (stamp + last);
      for (IntVector vector : ints) {
        whole &= vector.get(last) == (int) stamp + last;
      }
      for (BigIntVector vector : longs) {
        whole &= vector.get(last) == stamp + last;
      }
      whole &= texts.getValueLength(last) == 1 + (int) (stamp + last & 15);
      if (!whole) {
        throw new AssertionError("batch " + stamp + " was overwritten");
      }
    }

    @Override
    public void close() {
      check();
      for (IntVector vector : ints) {
        vector.close();
      }
      for (BigIntVector vector : longs) {
        vector.close();
      }
      doubles.close();
      texts.close();
    }
  }

  /** One thread's batches. An operation closes the oldest, and builds another. */
  private static final class Batches implements Workers.Work {
    private final BufferAllocator allocator;
    private final boolean growing;
    private final int[] rows;
    private final Batch[] live;
    private long built;

    Batches(BufferAllocator root, Shape shape, int thread) {
      allocator = root.newChildAllocator("thread " + thread, 0, Long.MAX_VALUE);
      growing = shape == Shape.GROWING;
      rows = shape.rows(thread);
      live = new Batch[shape.live];
    }

    @Override
    public void begin() {
      for (int i = 0; i < live.length; i++) {
        build();
      }
    }

    @Override
    public void times(int operations) {
      for (int i = 0; i < operations; i++) {
        live[(int) (built % live.length)].close();
        build();
      }
    }

    private void build() {
      Batch batch = new Batch(allocator, rows[(int) (built & rows.length - 1)], built << Byte.SIZE);
      batch.fill(growing);
      live[(int) (built % live.length)] = batch;
      built++;
    }

    @Override
    public int chunk() {
      return 16;
    }

    @Override
    public void end() {
      for (Batch batch : live) {
        batch.close();
      }
      allocator.close();
    }
  }
}
