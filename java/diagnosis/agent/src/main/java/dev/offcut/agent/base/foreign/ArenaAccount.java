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
 * of its state for {@link #ENDED}, which counts what was there. An allocation that the JDK accepted
 * before the swap may add its bytes after it: it sees a negative number, and counts them as freed
 * itself, since the JDK frees that block with the others. So each byte is counted as freed once.
 * The token stands above the bytes: whoever adds some sees whether they are counted at a call site.
 */
final class ArenaAccount extends PhantomReference<Stock.List> {
  /** Far below what is ever added: it stays negative. */
  private static final long ENDED = Long.MIN_VALUE;

  /** Of the state, the bytes. */
  private static final int BYTES_BITS = 47;

  private static final long STATE = Atomics.UNSAFE.objectFieldOffset(ArenaAccount.class, "state");
  private static final long FILLS = Atomics.UNSAFE.objectFieldOffset(ArenaAccount.class, "fills");

  /** Of probes that of probes. */
  private final byte kind;

  /**
   * Whether a library's net frees what it has. Written once, right after it was opened. Plain: it
   * is read only after the collector found the list, when nobody has the arena any more.
   */
  boolean hasNet;

  /** The list in which it is until it ends; null: in none. */
  private @Nullable OpenArenas list;

  /** Its neighbours there; guarded by the list. */
  @Nullable ArenaAccount before;

  @Nullable ArenaAccount behind;

  /** Bytes allocated, and above them what its opening left; or below 0: the arena has ended. */
  private long state;

  /** Allocations that left their stack, the latest first, if its opening left none. */
  private volatile @Nullable Fill fills;

  /** An allocation that left its stack. Each byte is told at the line that allocated it. */
  private static final class Fill {
    final int token;
    final long bytes;

    /** The one before it. Plain: it is written before others see this one. */
    @Nullable Fill before;

    Fill(int token, long bytes) {
      this.token = token;
      this.bytes = bytes;
    }
  }

  private ArenaAccount(int kind, int token, Stock.@Nullable List list) {
    super(list, OpenArenas.LOST);
    this.kind = (byte) Probes.kind(kind, token);
    this.state = (long) token << BYTES_BITS;
  }

  /** Counts an opening. */
  static ArenaAccount open(int kind, Stock.List list) {
    int token = Samples.opened(kind, 0);
    if (kind == Kind.AUTOMATIC) {
      return new ArenaAccount(kind, token, null);
    }
    ArenaAccount entry = new ArenaAccount(kind, token, list);
    OpenArenas open = OpenArenas.ofThread();
    entry.list = open;
    open.add(entry);
    return entry;
  }

  private boolean is(int one) {
    return kind % Kind.COUNT == one;
  }

  private static int token(long state) {
    return (int) (state >>> BYTES_BITS);
  }

  private static long held(long state) {
    return state & ((1L << BYTES_BITS) - 1);
  }

  /** Counts an allocation that the list has accepted. */
  void grow(long more) {
    // Opened first, so that never more is freed than was opened.
    boolean isNext = Samples.grown(kind, more);
    long before;
    if (is(Kind.CONFINED)) {
      before = state;
      state = before + more; // plain: the arena's thread alone allocates and closes
    } else {
      before = Atomics.UNSAFE.getAndAddLong(this, STATE, more);
      if (before < 0) {
        Counts.freed(kind, more);
        return;
      }
    }
    long held = held(before);
    if (token(before) != 0) {
      Sites.resized(token(before), held, held + more);
    } else if (isNext || Samples.isLarge(more)) {
      fill(more);
    }
  }

  /** Takes the stack of an allocation: the opening of the arena left none. */
  private void fill(long bytes) {
    int token = Sites.takeFilled(kind);
    if (token == 0) {
      return;
    }
    Fill fill = new Fill(token, bytes);
    Sites.opened(token, bytes);
    do {
      fill.before = fills;
    } while (!Atomics.UNSAFE.compareAndSetReference(this, FILLS, fill.before, fill));
    // The end sets the state and then takes the fills, so one of both sees what the other wrote:
    // ArenaTrackingTest.fill_afterTheEnd_leavesNoBytes.
    if (Atomics.UNSAFE.getAndAddLong(this, STATE, 0) < 0) {
      endFills(Counts.CLOSED);
    }
  }

  /** Whoever takes the fills ends them, so that each ends once. */
  private void endFills(int how) {
    Fill all = fills;
    while (all != null && !Atomics.UNSAFE.compareAndSetReference(this, FILLS, all, null)) {
      all = fills;
    }
    for (Fill fill = all; fill != null; fill = fill.before) {
      Sites.ended(fill.token, how, fill.bytes);
    }
  }

  /** The arena was closed by the program, or by the collector. */
  void end() {
    int how = is(Kind.AUTOMATIC) ? Counts.COLLECTED : Counts.CLOSED;
    long ended = take();
    if (ended < 0) {
      return;
    }
    leave();
    Counts.ended(kind, how, held(ended));
    Sites.ended(token(ended), how, held(ended));
    endFills(how);
  }

  /** The collector found the list. It counts as lost unless the arena was closed before. */
  void found() {
    // Plain: whoever had the list was done with it before the collector found it.
    if (state >= 0) {
      long ended = take();
      leave();
      if (hasNet) {
        Counts.collected(kind, held(ended));
        Sites.ended(token(ended), Counts.COLLECTED, held(ended));
        endFills(Counts.COLLECTED);
      } else {
        Counts.lost(kind, held(ended));
        Sites.ended(token(ended), Counts.LOST, held(ended));
        endFills(Counts.LOST);
      }
    }
  }

  private void leave() {
    OpenArenas in = list;
    if (in != null) {
      in.remove(this);
    }
  }

  private long take() {
    if (!is(Kind.CONFINED)) {
      return Atomics.UNSAFE.getAndSetLong(this, STATE, ENDED);
    }
    long was = state;
    state = ENDED; // plain, as above
    return was;
  }
}
