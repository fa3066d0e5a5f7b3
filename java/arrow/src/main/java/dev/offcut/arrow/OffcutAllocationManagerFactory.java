package dev.offcut.arrow;

import dev.offcut.handle.Tether;
import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.lang.foreign.Arena;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Gives Arrow 17 and 18 the memory of its buffers. Each buffer is a block of a heap of a pool, and
 * is charged to an owner.
 *
 * <pre>{@code
 * OffcutAllocationManagerFactory memory = OffcutAllocationManagerFactory.on(pool.owner());
 * try (BufferAllocator allocator = memory.newRootAllocator()) {
 *   // vectors, readers, writers
 * }
 * }</pre>
 *
 * <p><b>Ownership.</b> A buffer belongs to the code that has to close it, as always in Arrow. The
 * pool belongs to the program. Close the factory before the pool: {@link #close} fails while
 * buffers are in use, and so does the close of their pool.
 *
 * <p><b>Forgotten buffers.</b> Each buffer has a tether. If the buffer becomes unreachable before
 * its last release, the safety net of {@code dev.offcut.handle} gives its memory back to the pool,
 * and counts and reports it as a forgotten {@code arrow buffer}, with the line that took it if the
 * level of detection records lines. Arrow's allocator does not learn this: it still counts the
 * buffer, and its close still fails. A vector, a slice and a retained buffer keep the memory
 * reachable; a bare {@code memoryAddress} and a result of {@code nioBuffer} do not. {@link
 * #withoutNet} makes buffers without tethers, and so does every factory if Arrow does not check
 * accesses ({@code arrow.enable_unsafe_memory_access}): compiled code then reads by bare address.
 *
 * <p><b>Threads.</b> Any thread, including virtual threads. A buffer may be released on another
 * thread than the one that took it. No memory is kept by thread.
 *
 * <p><b>Failures.</b> Arrow's {@link OutOfMemoryException} if a limit of the owner or of the pool
 * would be exceeded. {@link dev.offcut.memory.ClosedPoolException}, {@link
 * dev.offcut.memory.ClosedOwnerException} or {@link dev.offcut.memory.ClosedHeapException} if the
 * pool, the owner or this factory is closed. After each of them Arrow's allocator counts what it
 * counted before.
 */
public final class OffcutAllocationManagerFactory
    implements AllocationManager.Factory, AutoCloseable {
  private static @Nullable OffcutAllocationManagerFactory shared;

  private final Owner owner;
  private final BlockHeap heap;

  /** By which the net knows the heap; 0 if there is no net. */
  private final int number;

  private volatile boolean closing;

  private OffcutAllocationManagerFactory(Owner owner, boolean hasNet) {
    this.owner = owner;
    heap = owner.openHeap();
    int added = 0;
    boolean opened = false;
    try {
      added = hasNet ? ForgottenBuffers.add(heap) : 0;
      opened = true;
    } finally {
      if (!opened) {
        heap.close();
      }
    }
    number = added;
  }

  /**
   * Opens a factory whose buffers are charged to an owner.
   *
   * @param owner whom the buffers are charged to
   * @return the factory; the caller closes it
   * @throws dev.offcut.memory.ClosedOwnerException if the owner is closed
   * @throws UnsupportedOperationException if, with this version of Arrow, buffers do not get their
   *     memory from the pool, or if Arrow cannot be used in this JVM; this method then leaves
   *     nothing open
   */
  public static OffcutAllocationManagerFactory on(Owner owner) {
    return open(owner, true);
  }

  /**
   * Opens a factory whose buffers are charged to an owner, and have no tether. The memory of a
   * buffer that is not released stays in use, and no report shows the buffer.
   *
   * @param owner whom the buffers are charged to
   * @return the factory; the caller closes it
   * @throws dev.offcut.memory.ClosedOwnerException if the owner is closed
   * @throws UnsupportedOperationException as for {@link #on}
   */
  public static OffcutAllocationManagerFactory withoutNet(Owner owner) {
    return open(owner, false);
  }

  private static OffcutAllocationManagerFactory open(Owner owner, boolean wantsNet) {
    boolean hasNet = wantsNet && Proof.isAccessChecked();
    OffcutAllocationManagerFactory factory = new OffcutAllocationManagerFactory(owner, hasNet);
    boolean proved = false;
    try {
      Proof.check(factory, factory.heap);
      proved = true;
    } finally {
      if (!proved) {
        factory.heap.freeAll();
        factory.close();
      }
    }
    return factory;
  }

  /**
   * Returns the factory of this process. It is made at the first call, on a pool named {@code
   * arrow}, and is never closed. The system property {@code offcut.arrow.limit} limits the pool, in
   * bytes. If this library stands in the place of {@code arrow-memory-unsafe}, a {@link
   * RootAllocator} for which the program names no factory uses this one.
   *
   * @return the factory
   * @throws IllegalArgumentException if the property is not a number of bytes
   */
  public static OffcutAllocationManagerFactory shared() {
    synchronized (OffcutAllocationManagerFactory.class) {
      OffcutAllocationManagerFactory factory = shared;
      if (factory == null) {
        factory = on(poolOfProcess().owner());
        shared = factory;
      }
      return factory;
    }
  }

  private static MemoryPool poolOfProcess() {
    MemoryPool.Builder builder = MemoryPool.named("arrow");
    String limit = System.getProperty("offcut.arrow.limit");
    if (limit != null) {
      try {
        builder.limit(Long.parseLong(limit));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "-Doffcut.arrow.limit=" + limit + ": give a number of bytes, such as 268435456", e);
      }
    }
    return builder.create();
  }

  /**
   * Returns what behaves as {@link #shared} and makes it when the first buffer is taken. Arrow
   * reads its default while its own classes are initialized, and could not be used yet.
   *
   * @return a factory that needs no close
   */
  public static AllocationManager.Factory onFirstUse() {
    return OnFirstUse.FACTORY;
  }

  private static final class OnFirstUse implements AllocationManager.Factory {
    static final OnFirstUse FACTORY = new OnFirstUse();

    private volatile @Nullable OffcutAllocationManagerFactory used;

    @Override
    public AllocationManager create(BufferAllocator accountingAllocator, long size) {
      OffcutAllocationManagerFactory factory = used;
      if (factory == null) {
        factory = shared();
        used = factory;
      }
      return factory.create(accountingAllocator, size);
    }

    @Override
    public ArrowBuf empty() {
      return Empty.BUFFER;
    }

    @Override
    public String toString() {
      return "the memory of Arrow in the pool arrow";
    }
  }

  /**
   * Makes a root allocator of Arrow whose buffers are charged to the owner, without a limit of its
   * own. For other settings use {@code RootAllocator.configBuilder().allocationManagerFactory(…)}.
   *
   * @return the allocator; the caller closes it before this factory
   */
  public RootAllocator newRootAllocator() {
    return new RootAllocator(RootAllocator.configBuilder().allocationManagerFactory(this).build());
  }

  /** {@return the owner that the buffers are charged to} */
  public Owner owner() {
    return owner;
  }

  /**
   * Returns the size of all blocks in use. It is no less than what Arrow's allocators count: a
   * block may be larger than its buffer. A call takes microseconds.
   *
   * @return the bytes
   */
  public long usedBytes() {
    return heap.usedBytes();
  }

  /**
   * Takes the memory of a buffer. Arrow calls it.
   *
   * @param accountingAllocator the allocator that has counted the buffer
   * @param size the size of the buffer in bytes
   * @return what releases the memory with the last reference to the buffer
   * @throws OutOfMemoryException if a limit of the owner or of the pool would be exceeded; nothing
   *     was taken
   */
  @Override
  public AllocationManager create(BufferAllocator accountingAllocator, long size) {
    // Before the manager, which Arrow's debug mode would keep in its list if this failed later.
    long address = allocateBlock(size);
    Tether tether = null;
    boolean made = false;
    try {
      tether = hasNet() ? ForgottenBuffers.tether(number, address) : null;
      AllocationManager manager =
          tether == null
              ? new BlockManager(accountingAllocator, this, address, size)
              : new BlockManager.Tethered(accountingAllocator, this, tether, address, size);
      made = true;
      return manager;
    } finally {
      if (!made) {
        if (tether != null) {
          tether.end();
        }
        freeBlock(address);
      }
    }
  }

  /** Returns the buffer of no bytes, which has an address and needs no release. */
  @Override
  public ArrowBuf empty() {
    return Empty.BUFFER;
  }

  private static final class Empty {
    static final ArrowBuf BUFFER =
        new ArrowBuf(
            ReferenceManager.NO_OP, null, 0, Arena.global().allocate(Long.BYTES).address());
  }

  /** Whether its buffers have tethers. */
  boolean hasNet() {
    return number != 0;
  }

  /** Takes a block; one of nothing has a byte, so that it has an address of its own. */
  long allocateBlock(long bytes) {
    long address = 0;
    boolean kept = false;
    try {
      address = heap.allocate(Math.max(bytes, 1));
      kept = !closing; // after the block is out: a close sees it, or this sees the close
    } catch (MemoryLimitException e) {
      throw new OutOfMemoryException(e.getMessage(), e);
    } finally {
      if (!kept && address != 0) {
        heap.free(address);
      }
    }
    if (!kept) {
      throw new IllegalStateException(this + " is being closed; it hands out no buffer");
    }
    return address;
  }

  void freeBlock(long address) {
    heap.free(address);
  }

  /** The bytes of a block in use. */
  long blockBytes(long address) {
    return heap.bytesOf(address);
  }

  /**
   * Closes the factory and gives its memory back to the pool. Further calls do nothing. The pool
   * and the owner stay open. While this method runs, a request of another thread may get an {@link
   * IllegalStateException}, even if this method then fails.
   *
   * @throws IllegalStateException if buffers are in use; the factory stays open
   */
  @Override
  public synchronized void close() {
    closing = true;
    boolean closed = false;
    try {
      long used = heap.usedBytes();
      if (used != 0) {
        throw new IllegalStateException(
            this + " stays open: " + used + " bytes of buffers are in use; close them first");
      }
      heap.close();
      closed = true;
    } finally {
      closing = closed;
    }
    if (hasNet()) {
      ForgottenBuffers.remove(number);
    }
  }

  @Override
  public String toString() {
    return "the memory of Arrow for " + owner;
  }
}
