package dev.offcut.bench.run;

import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.netty.OffcutByteBufAllocator;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A program that forgets what Offcut's libraries hold for it, and two arenas of the JDK's. */
final class ForgettingProgram {
  private static final int COUNT = 100;

  private ForgettingProgram() {}

  /** {@code wait}: reads a byte after it has used the libraries once, and one before it ends. */
  public static void main(String[] args) throws Exception {
    Owner owner = MemoryPool.named("forgetful").create().owner();
    OffcutByteBufAllocator netty = OffcutByteBufAllocator.on(owner);
    if (args.length > 0) {
      forget(owner, netty, 1);
      System.out.println("waiting");
      System.in.read();
    }
    System.out.println(forget(owner, netty, COUNT));
    collect();
    Handles.drain(Duration.ofMinutes(1));
    if (args.length > 0) {
      System.in.read();
    }
  }

  /** In a frame of its own. */
  @SuppressWarnings("resource") // that is what it is about
  private static long forget(Owner owner, OffcutByteBufAllocator netty, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      owner.openArena().allocate(1 << 10);
      owner.openSharedArena().allocate(1 << 10);
      owner.openHeap().allocate(1 << 10);
      owner.openArena().close();
      owner.openSharedArena().close();
      ByteBuf released = netty.buffer(64).writeLong(i);
      ByteBuffer view = released.nioBuffer();
      sum += view.getLong(0);
      released.release();
    }
    Arena.ofConfined();
    Arena.ofShared();
    return sum;
  }

  private static void collect() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      System.gc();
      Thread.sleep(50);
    }
  }
}
