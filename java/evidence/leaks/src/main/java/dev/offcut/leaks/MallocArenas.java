package dev.offcut.leaks;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Threads that take much memory one after the other and free it: each from an arena of its own. */
@SuppressWarnings("restricted") // malloc and free have these types
public final class MallocArenas {
  private static final int THREADS = 16;
  private static final int BLOCKS = 4_000;
  private static final long BLOCK_BYTES = 4_000;
  private static final MethodHandle MALLOC =
      of("malloc", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
  private static final MethodHandle FREE =
      of("free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

  private MallocArenas() {}

  public static void main(String[] args) throws Exception {
    Observer.begin();
    Semaphore turn = new Semaphore(1);
    CountDownLatch done = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      Thread.ofPlatform().daemon().start(() -> task(turn, done));
    }
    done.await();
    Observer.end();
  }

  private static void task(Semaphore turn, CountDownLatch done) {
    try {
      MemorySegment pin = (MemorySegment) MALLOC.invokeExact(BLOCK_BYTES);
      turn.acquire();
      MemorySegment[] blocks = new MemorySegment[BLOCKS];
      for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = (MemorySegment) MALLOC.invokeExact(BLOCK_BYTES);
        blocks[i].reinterpret(BLOCK_BYTES).fill((byte) 1);
      }
      for (int i = 0; i < BLOCKS - 1; i++) { // the leak: the last block pins the arena
        FREE.invokeExact(blocks[i]);
      }
      turn.release();
      done.countDown();
      Thread.sleep(Long.MAX_VALUE);
      FREE.invokeExact(pin);
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }

  private static MethodHandle of(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }
}
