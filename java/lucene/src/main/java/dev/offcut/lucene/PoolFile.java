package dev.offcut.lucene;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.ClosedHeapException;
import dev.offcut.memory.ClosedOwnerException;
import dev.offcut.memory.ClosedPoolException;
import dev.offcut.memory.MemoryLimitException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.util.Arrays;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/**
 * A file whose parts are blocks of a heap. All parts but the last have the same size, a power of
 * two. While the file is written, its first block grows, by doubling, until it is a full part; each
 * further block is a full part at once. When the file is finished, the last block shrinks to what
 * was written.
 *
 * <p>All inputs read it through one arena, which is made for the first of them; an input for one
 * thread has an arena of its own. The file ends when it is deleted and no input of it is open: at
 * once if it was never read by several threads, else when {@link Endings} closes its arena. Writing
 * is for one thread at a time; any thread may end the file meanwhile.
 */
final class PoolFile {
  private final String name;
  private final PoolDirectory directory;
  private final BlockHeap heap;
  private final int partBits;

  // All of this is guarded by the monitor; what is finished does not change.
  private long[] blocks = {};
  private int blockCount;

  /** Of the last block, and how much of it is written. */
  private long capacity;

  private long used;
  private boolean isFinished;
  private int inputs;
  private boolean isDeleted;
  private boolean hasEnded;

  /** What most inputs read; null while there was none. */
  private @Nullable Arena arena;

  private MemorySegment @Nullable [] parts;

  PoolFile(String name, PoolDirectory directory, BlockHeap heap, int partBits) {
    this.name = name;
    this.directory = directory;
    this.heap = heap;
    this.partBits = partBits;
  }

  String name() {
    return name;
  }

  int partBits() {
    return partBits;
  }

  private long partBytes() {
    return 1L << partBits;
  }

  synchronized long length() {
    return blockCount == 0 ? 0 : ((long) (blockCount - 1) << partBits) + used;
  }

  /** Adds bytes at the end. */
  synchronized void append(byte[] from, int at, int bytes) throws IOException {
    if (hasEnded) {
      throw new AlreadyClosedException(name + " is deleted");
    }
    int done = 0;
    while (done < bytes) {
      if (used == capacity) {
        grow(bytes - done);
      }
      int piece = (int) Math.min(capacity - used, bytes - done);
      Memory.write(from, at + done, blocks[blockCount - 1] + used, piece);
      used += piece;
      done += piece;
    }
  }

  private void grow(long more) throws IOException {
    if (blockCount == 0 || capacity == partBytes()) {
      long least = Math.min(more, partBytes());
      blocks = Arrays.copyOf(blocks, blockCount + 1);
      long address = ask(0, blockCount == 0 ? least : partBytes(), least);
      blocks[blockCount] = address;
      blockCount++;
      used = 0;
    } else {
      long least = Math.min(capacity + more, partBytes());
      long best = Math.min(Math.max(2 * capacity, least), partBytes());
      blocks[blockCount - 1] = ask(blocks[blockCount - 1], best, least);
    }
  }

  /** A block, new or resized, of the best size or at least of the least; sets the capacity. */
  private long ask(long block, long best, long least) throws IOException {
    try {
      try {
        return askFor(block, best);
      } catch (MemoryLimitException e) {
        Endings.OF_ALL.endAll(); // what waits makes room
        return askFor(block, least);
      }
    } catch (MemoryLimitException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new IOException("no room for " + least + " bytes of " + name + ": " + reason, e);
    } catch (ClosedPoolException | ClosedOwnerException | ClosedHeapException e) {
      throw new IOException(name + " cannot be written: " + e.getMessage(), e);
    }
  }

  private long askFor(long block, long bytes) {
    long address = block == 0 ? heap.allocate(bytes) : heap.reallocate(block, bytes);
    capacity = bytes;
    return address;
  }

  /** Gives back what the last block has too much. The file can be read from now on. */
  synchronized void finish() {
    if (!hasEnded && used < capacity) {
      try {
        blocks[blockCount - 1] = askFor(blocks[blockCount - 1], used);
      } catch (MemoryLimitException e) {
        // There is no room for a copy; the block stays as it is.
      }
    }
    isFinished = true;
  }

  /**
   * Opens the file.
   *
   * @param isConfined whether one thread opens, reads and closes it
   */
  synchronized Opening open(boolean isConfined) throws IOException {
    if (isDeleted) {
      throw directory.missing(name);
    }
    if (!isFinished) {
      throw new AccessDeniedException(name, null, "it is still being written");
    }
    Opening opening;
    if (isConfined) {
      Arena own = Arena.ofConfined();
      opening = new Opening(this, segments(own), own);
    } else {
      opening = new Opening(this, sharedParts(), null);
    }
    inputs++;
    return opening;
  }

  private MemorySegment[] sharedParts() {
    MemorySegment[] made = parts;
    if (made == null) {
      arena = Arena.ofShared();
      made = segments(arena);
      parts = made;
    }
    return made;
  }

  private MemorySegment[] segments(Arena scope) {
    MemorySegment[] made = new MemorySegment[blockCount];
    for (int i = 0; i < made.length; i++) {
      made[i] = Memory.segment(blocks[i], i < made.length - 1 ? partBytes() : used, scope, heap);
    }
    return made;
  }

  void inputClosed() {
    if (isUnused(-1, false)) {
      end();
    }
  }

  /** Ends the file once no input of it is open. */
  void delete() {
    if (isUnused(0, true)) {
      end();
    }
  }

  /** Whether the file has to end now. */
  private synchronized boolean isUnused(int moreInputs, boolean deletes) {
    inputs += moreInputs;
    isDeleted |= deletes;
    boolean endsNow = isDeleted && inputs == 0 && !hasEnded;
    hasEnded |= endsNow;
    return endsNow;
  }

  private void end() {
    Arena last = shared();
    if (last == null) {
      release();
    } else {
      directory.end(() -> tryEnd(last));
    }
  }

  private synchronized @Nullable Arena shared() {
    return arena;
  }

  private boolean tryEnd(Arena last) {
    try {
      last.close();
    } catch (IllegalStateException inUse) {
      return false;
    }
    release();
    return true;
  }

  /** Gives the memory back; nobody can reach it any more. */
  private synchronized void release() {
    for (int i = 0; i < blockCount; i++) {
      heap.free(blocks[i]);
    }
    blockCount = 0;
    used = 0;
    capacity = 0;
    directory.fileEnded();
  }
}
