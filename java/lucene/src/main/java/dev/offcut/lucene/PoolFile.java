package dev.offcut.lucene;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.ClosedHeapException;
import dev.offcut.memory.ClosedOwnerException;
import dev.offcut.memory.ClosedPoolException;
import dev.offcut.memory.MemoryLimitException;
import java.io.IOException;
import java.util.Arrays;

/**
 * A file whose parts are blocks of a heap. While it is written, its first block grows, by doubling,
 * until it is a full part; each further block is a full part at once. When the file is finished,
 * the last block shrinks to what was written.
 *
 * <p>It ends when it is deleted and no input of it is open. Writing is for one thread at a time;
 * any thread may end the file meanwhile.
 */
final class PoolFile extends FileBytes {
  private final BlockHeap heap;

  // All of this is guarded by the monitor; what is finished does not change.
  private long[] blocks = {};
  private int blockCount;

  /** Of the last block, and how much of it is written. */
  private long capacity;

  private long used;
  private boolean isFinished;
  private int inputs;
  private boolean isDeleted;

  PoolFile(String name, Scopes scopes, BlockHeap heap, int partBits) {
    super(name, scopes, partBits);
    this.heap = heap;
  }

  @Override
  synchronized long length() {
    return blockCount == 0 ? 0 : ((long) (blockCount - 1) << partBits()) + used;
  }

  @Override
  synchronized long addressOf(int part) {
    return blocks[part];
  }

  /** Adds bytes at the end. */
  synchronized void append(byte[] from, int at, int bytes) throws IOException {
    checkNotEnded();
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
        scopes().turn(); // deleted files may wait for it
        return askFor(block, least);
      }
    } catch (MemoryLimitException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new IOException("no room for " + least + " bytes of " + name() + ": " + reason, e);
    } catch (ClosedPoolException | ClosedOwnerException | ClosedHeapException e) {
      throw new IOException(name() + " cannot be written: " + e.getMessage(), e);
    }
  }

  private long askFor(long block, long bytes) {
    long address = block == 0 ? heap.allocate(bytes) : heap.reallocate(block, bytes);
    capacity = bytes;
    return address;
  }

  /** Gives back what the last block has too much. The file can be read from now on. */
  synchronized void finish() {
    if (!hasEnded() && used < capacity) {
      try {
        blocks[blockCount - 1] = askFor(blocks[blockCount - 1], used);
      } catch (MemoryLimitException e) {
        // There is no room for a copy; the block stays as it is.
      }
    }
    isFinished = true;
  }

  /** Counts an input; false if the file is still being written. */
  synchronized boolean addInput() {
    checkNotEnded();
    if (isFinished) {
      inputs++;
    }
    return isFinished;
  }

  @Override
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

  private synchronized boolean isUnused(int moreInputs, boolean deletes) {
    inputs += moreInputs;
    isDeleted |= deletes;
    return isDeleted && inputs == 0;
  }

  @Override
  void release() {
    for (int i = 0; i < blockCount; i++) {
      heap.free(blocks[i]);
    }
    blockCount = 0;
    used = 0;
    capacity = 0;
  }
}
