package dev.offcut.agent.base.foreign;

import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.Atomics;
import dev.offcut.agent.base.concurrent.Counts;
import dev.offcut.agent.base.concurrent.Probes;
import dev.offcut.agent.base.concurrent.Samples;
import dev.offcut.agent.base.concurrent.Sites;
import java.lang.ref.PhantomReference;
import org.jspecify.annotations.Nullable;

/**
 * The account of an open arena: a phantom reference to its list, and what was allocated from it.
 *
 * <p><b>Who refers to whom.</b> The session refers to its list, the list to this entry, the {@link
 * OpenArenas} to this entry, and nothing of ours to the list or to what is in it: the program's
 * cleanups and all they capture go when the program drops the arena. Only then the entry is
 * enqueued, and what it says was lost. The entry of an automatic arena has no referent and stands
 * in no net: the JDK frees such an arena itself.
 *
 * <p><b>Bytes.</b> Those of a shared or automatic arena change atomically. An arena ends by a swap
 * of its bytes for {@link #ENDED}, which counts what was there. An allocation that the JDK accepted
 * before the swap may add its bytes after it: it sees a negative number, and counts them as freed
 * itself, since the JDK frees that block with the others. So each byte is counted as freed once.
 */
final class ArenaAccount extends PhantomReference<Stock.List> {
  /** Far below what is ever added: it stays negative. */
  private static final long ENDED = Long.MIN_VALUE;

  private static final long BYTES = Atomics.UNSAFE.objectFieldOffset(ArenaAccount.class, "bytes");

  private final byte kind;

  /** What its opening left. */
  private final int token;

  /** Where in the net; -1: nowhere. */
  private int place = -1;

  /** Allocated, or below 0: the arena has ended. */
  private long bytes;

  private ArenaAccount(int kind, int token, Stock.@Nullable List list) {
    super(list, OpenArenas.LOST);
    this.kind = (byte) kind;
    this.token = token;
  }

  /** Counts an opening. */
  static ArenaAccount open(int kind, Stock.List list) {
    int token = Samples.opened(kind, 0);
    if (kind == Kind.AUTOMATIC) {
      return new ArenaAccount(kind, token, null);
    }
    ArenaAccount entry = new ArenaAccount(kind, token, list);
    entry.place = OpenArenas.add(entry);
    return entry;
  }

  /** Counts an allocation that the list has accepted. */
  void grow(long more) {
    // Opened first, so that never more is freed than was opened.
    Counts.grown(counted(), more);
    Sites.grown(token, more);
    if (kind == Kind.CONFINED) {
      bytes += more; // plain: the arena's thread alone allocates and closes
    } else if (Atomics.UNSAFE.getAndAddLong(this, BYTES, more) < 0) {
      Counts.freed(counted(), more);
      Sites.freed(token, more);
    }
  }

  /** The arena was closed by the program, or by the collector. */
  void end() {
    int how = kind == Kind.AUTOMATIC ? Counts.COLLECTED : Counts.CLOSED;
    long held = take();
    if (place >= 0) {
      OpenArenas.remove(place);
    }
    Counts.ended(counted(), how, held);
    Sites.ended(token, how, held);
  }

  /** The collector found the list. It counts as lost unless the arena was closed before. */
  void found() {
    // Plain: whoever had the list was done with it before the collector found it.
    if (bytes >= 0) {
      long held = take();
      OpenArenas.remove(place);
      Counts.lost(counted(), held);
      Sites.ended(token, Counts.LOST, held);
    }
  }

  private int counted() {
    return Probes.kind(kind, token);
  }

  private long take() {
    if (kind != Kind.CONFINED) {
      return Atomics.UNSAFE.getAndSetLong(this, BYTES, ENDED);
    }
    long held = bytes;
    bytes = ENDED; // plain, as above
    return held;
  }
}
