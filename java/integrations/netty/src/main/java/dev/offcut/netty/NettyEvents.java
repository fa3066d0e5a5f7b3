package dev.offcut.netty;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;

/**
 * The Flight Recorder events that Netty 4.2 has for its own allocators, by the same names and with
 * the same fields, so that a recording shows the buffers of all allocators. Netty's event classes
 * are not public. Netty 4.1 has no events; with it, these are the only ones of that name.
 *
 * <p>As in Netty, they are off unless a recording turns them on. Without the module {@code jdk.jfr}
 * there are none.
 */
final class NettyEvents {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private NettyEvents() {}

  /**
   * Whether a recording may want them. Without a recorder nobody hears an event, and to create the
   * first one would load the recorder.
   */
  static boolean areRecorded() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  static void allocated(PoolBuffer buffer) {
    Allocated event = new Allocated();
    if (event.shouldCommit()) {
      event.fill(buffer);
      event.chunkPooled = true;
      event.commit();
    }
  }

  static void freed(PoolBuffer buffer) {
    Freed event = new Freed();
    if (event.shouldCommit()) {
      event.fill(buffer);
      event.commit();
    }
  }

  static void reallocated(PoolBuffer buffer, int newCapacity) {
    Reallocated event = new Reallocated();
    if (event.shouldCommit()) {
      event.fill(buffer);
      event.newCapacity = newCapacity;
      event.commit();
    }
  }

  @Category("Netty")
  @Enabled(false)
  abstract static class OfBuffer extends Event {
    @Label("Allocator Type")
    @SuppressWarnings("unused") // Flight Recorder reads it, and those below
    Class<?> allocatorType = OffcutByteBufAllocator.class;

    @Label("Size")
    @DataAmount
    int size;

    @Label("Maximum Fast Capacity")
    @DataAmount
    int maxFastCapacity;

    @Label("Maximum Capacity")
    @DataAmount
    int maxCapacity;

    @Label("Direct")
    boolean direct;

    @Label("Address")
    @MemoryAddress
    long address;

    final void fill(PoolBuffer buffer) {
      size = buffer.capacity();
      maxFastCapacity = buffer.maxFastWritableBytes() + buffer.writerIndex();
      maxCapacity = buffer.maxCapacity();
      direct = true;
      address = buffer.address();
    }
  }

  @Name("io.netty.AllocateBuffer")
  @Label("Buffer Allocation")
  @Description("A buffer was taken from an allocator, or got other memory")
  static final class Allocated extends OfBuffer {
    @Label("Chunk Pooled")
    boolean chunkPooled;

    @Label("Chunk Thread Local")
    boolean chunkThreadLocal;
  }

  @Name("io.netty.FreeBuffer")
  @Label("Buffer Deallocation")
  @Description("The memory of a buffer went back to its allocator")
  static final class Freed extends OfBuffer {}

  @Name("io.netty.ReallocateBuffer")
  @Label("Buffer Reallocation")
  @Description("A buffer is about to get another capacity")
  static final class Reallocated extends OfBuffer {
    @Label("New Capacity")
    @DataAmount
    int newCapacity;
  }
}
