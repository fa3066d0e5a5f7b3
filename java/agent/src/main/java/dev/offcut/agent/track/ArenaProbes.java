package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockArena;
import java.util.function.IntConsumer;

/** Probes that are arenas, opened as programs do. A helper: a copy of it beside sessions runs. */
final class ArenaProbes implements IntConsumer {
  /** Bytes that a thread may have at hand. */
  private static final long FEW = 24;

  /** More than it has, so that both ways to get them are tried. */
  private static final long MANY = 1 << 12;

  /** All that is allocated from one that is closed. */
  static final long BYTES = FEW + MANY;

  @Override
  public void accept(int what) {
    if (what < 0) {
      drop(~what);
      return;
    }
    StockArena arena = what == Kind.CONFINED ? StockArena.ofConfined() : StockArena.ofShared();
    try {
      arena.allocate(FEW, 1);
      arena.allocate(MANY, 1);
    } finally {
      arena.close();
    }
  }

  private static void drop(int kind) {
    if (kind == Kind.AUTOMATIC) {
      StockArena.ofAuto().allocate(FEW, 1);
    } else if (kind == Kind.CONFINED) {
      StockArena.ofConfined(); // without memory: nobody would free it
    } else {
      StockArena.ofShared();
    }
  }
}
