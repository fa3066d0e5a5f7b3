package dev.offcut.lucene;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a file: parts of equal size, a power of two, but for the last one. It is read
 * through segments of the directory's scope, which are made when somebody asks for them.
 *
 * <p>It ends once. From then on nobody gets a segment, and its memory is released when all of its
 * segments have ended. Any thread may use it.
 */
abstract class FileBytes {
  private final String name;
  private final Scopes scopes;
  private final int partBits;

  /** The last segments that were made; null when the file has ended. */
  private volatile @Nullable Cut cut;

  /** The scope of segments that code outside of this package has got. */
  private @Nullable Arena lasting;

  private boolean hasEnded;

  /** All parts as segments of a scope. */
  private static final class Cut {
    final Arena scope;
    final MemorySegment[] parts;

    Cut(Arena scope, MemorySegment[] parts) {
      this.scope = scope;
      this.parts = parts;
    }
  }

  FileBytes(String name, Scopes scopes, int partBits) {
    this.name = name;
    this.scopes = scopes;
    this.partBits = partBits;
  }

  /** How many bytes the file has. */
  abstract long length();

  /** Where a part begins. */
  abstract long addressOf(int part);

  /** Gives the memory back. Called once, when nobody can reach it. */
  abstract void release();

  /** Hears that an input was closed, with all its clones and slices. */
  abstract void inputClosed();

  /** Tells the system that a part of the file will soon be read. */
  void prefetch(long offset, long bytes) {}

  final String name() {
    return name;
  }

  final Scopes scopes() {
    return scopes;
  }

  final int partBits() {
    return partBits;
  }

  final long partBytes() {
    return 1L << partBits;
  }

  /** The parts as segments that were alive when this was called, and end at the next turn. */
  final MemorySegment[] parts() {
    Cut last = cut;
    return last != null && last.scope.scope().isAlive() ? last.parts : cutAgain();
  }

  private synchronized MemorySegment[] cutAgain() {
    checkNotEnded();
    while (true) {
      Arena now = scopes.current();
      Cut last = cut;
      if (last != null && last.scope == now) {
        return last.parts;
      }
      try {
        cut = new Cut(now, segments(now));
      } catch (IllegalStateException e) {
        if (now.scope().isAlive()) {
          throw e;
        } // else a turn ended it meanwhile; there is a next one
      }
    }
  }

  /** A piece of one part as a segment that is alive until the file ends. */
  final synchronized MemorySegment lasting(long offset, long bytes) {
    checkNotEnded();
    Arena arena = lasting;
    if (arena == null) {
      arena = Arena.ofShared();
      lasting = arena;
    }
    long inPart = offset & (partBytes() - 1);
    return Memory.segment(addressOf((int) (offset >>> partBits)) + inPart, bytes, arena);
  }

  private MemorySegment[] segments(Arena arena) {
    long bytes = length();
    MemorySegment[] made = new MemorySegment[(int) ((bytes + partBytes() - 1) >>> partBits)];
    for (int i = 0; i < made.length; i++) {
      long partLength = Math.min(partBytes(), bytes - ((long) i << partBits));
      made[i] = Memory.segment(addressOf(i), partLength, arena);
    }
    return made;
  }

  final synchronized boolean hasEnded() {
    return hasEnded;
  }

  final void checkNotEnded() {
    if (hasEnded()) {
      throw new AlreadyClosedException(name + " is closed");
    }
  }

  /** Ends the file. Further calls do nothing. */
  final void end() {
    Cut last;
    synchronized (this) {
      if (hasEnded) {
        return;
      }
      hasEnded = true;
      last = cut;
      cut = null;
    }
    scopes.end(this, last == null ? null : last.scope);
  }

  /**
   * Releases the memory of a file that ended and has no segments in a directory's scope any more;
   * false if a native call uses a segment that other code has got.
   */
  final synchronized boolean tryRelease() {
    if (lasting != null) {
      try {
        lasting.close();
      } catch (IllegalStateException inUse) {
        return false;
      }
      lasting = null;
    }
    release();
    return true;
  }
}
