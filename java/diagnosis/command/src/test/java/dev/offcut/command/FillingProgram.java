package dev.offcut.command;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** Opens arenas in one class, fills them in another one, and keeps all open. */
final class FillingProgram {
  static final int ARENAS = 2_000;
  static final int BYTES = 64 << 10;

  /** Reachable, so that none is lost. */
  private static final Registry REGISTRY = new Registry();

  private FillingProgram() {}

  private static final class Registry {
    private final List<Arena> open = new ArrayList<>();

    private Arena begin() {
      Arena arena = Arena.ofShared();
      open.add(arena);
      return arena;
    }
  }

  private static final class Codec {
    private static void encode(Arena arena) {
      arena.allocate(BYTES).fill((byte) 1);
    }
  }

  /** No arguments. */
  public static void main(String[] args) {
    for (int i = 0; i < ARENAS; i++) {
      Codec.encode(REGISTRY.begin());
    }
    System.out.println("open " + REGISTRY.open.size());
  }
}
