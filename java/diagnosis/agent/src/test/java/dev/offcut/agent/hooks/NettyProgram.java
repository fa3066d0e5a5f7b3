package dev.offcut.agent.hooks;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Takes buffers of Netty in several threads, lets them grow, passes some to other threads, and
 * releases most. Prints how many bytes those have that it still holds, and what Netty says of its
 * chunks.
 */
final class NettyProgram {
  private static final int STEPS = 20_000;
  private static final int MOST_HELD = 200;

  /** Larger than any chunk of the pooled allocator; the adaptive one makes a chunk for it, too. */
  private static final int HUGE = 5 << 20;

  /** All of the program, until the JVM has ended: the agent's last look comes behind main. */
  private static final List<NettyProgram> PROGRAMS = new ArrayList<>();

  private final ByteBufAllocator allocator;

  /** Of all threads, so that each releases what others took. */
  private final List<ByteBuf> held = new ArrayList<>();

  private NettyProgram(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** {@code pooled} or {@code adaptive}, a seed, and how many threads. */
  public static void main(String[] args) throws Exception {
    boolean pooled = args[0].equals("pooled");
    ByteBufAllocator allocator =
        pooled ? PooledByteBufAllocator.DEFAULT : new AdaptiveByteBufAllocator();
    NettyProgram program = new NettyProgram(allocator);
    PROGRAMS.add(program);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      Random random = new Random(Long.parseLong(args[1]) + i);
      Thread thread = new Thread(() -> program.run(random));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("used " + program.used());
    System.out.println(
        "kept "
            + (pooled
                ? PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()
                : ((AdaptiveByteBufAllocator) allocator).usedDirectMemory()));
  }

  private void run(Random random) {
    for (int step = 0; step < STEPS; step++) {
      ByteBuf buffer = take(random);
      if (random.nextInt(4) == 0) {
        buffer.capacity(Math.min(buffer.maxCapacity(), 2 * buffer.capacity() + 1));
      } else if (random.nextInt(8) == 0) {
        buffer.capacity(buffer.capacity() / 2);
      }
      if (random.nextInt(16) == 0) {
        buffer.retainedDuplicate().release();
      }
      ByteBuf released = null;
      synchronized (held) {
        held.add(buffer);
        if (held.size() > random.nextInt(MOST_HELD)) {
          released = held.remove(random.nextInt(held.size()));
        }
      }
      if (released != null) {
        released.release();
      }
    }
  }

  private ByteBuf take(Random random) {
    if (random.nextInt(1_000) == 0) {
      return allocator.directBuffer(HUGE);
    }
    int size = random.nextInt(1 << random.nextInt(4, 18));
    return random.nextInt(5) == 0 ? allocator.heapBuffer(size) : allocator.directBuffer(size);
  }

  /** Netty says how far a buffer can be written without another allocation. */
  private long used() {
    long used = 0;
    for (ByteBuf buffer : held) {
      if (buffer.isDirect()) {
        used += buffer.writerIndex() + buffer.maxFastWritableBytes();
      }
    }
    return used;
  }
}
