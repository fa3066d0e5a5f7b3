package dev.offcut.agent.base.foreign;

import dev.offcut.agent.base.Kind;
import java.util.function.IntFunction;

/** Probes that are arenas, opened as programs do. A helper: a copy of it beside sessions runs. */
public final class ArenaProbes implements IntFunction<Object> {
  /** Bytes that a thread may have at hand. */
  private static final long FEW = 24;

  /** More than it has, so that both ways to get them are tried. */
  private static final long MANY = 1 << 12;

  /** All that is allocated from one that is closed. */
  public static final long BYTES = FEW + MANY;

  @Override
  public Object apply(int what) {
    if (what < 0) {
      return drop(~what);
    }
    Stock.Arena arena = what == Kind.CONFINED ? Stock.Arena.ofConfined() : Stock.Arena.ofShared();
    try {
      arena.allocate(FEW, 1);
      arena.allocate(MANY, 1);
    } finally {
      arena.close();
    }
    return arena;
  }

  private static Stock.Arena drop(int kind) {
    if (kind == Kind.AUTOMATIC) {
      Stock.Arena arena = Stock.Arena.ofAuto();
      arena.allocate(FEW, 1);
      return arena;
    }
    // Without memory: nobody would free it.
    return kind == Kind.CONFINED ? Stock.Arena.ofConfined() : Stock.Arena.ofShared();
  }
}
