package dev.offcut.agent.hooks;

import java.util.ArrayList;
import java.util.List;

/** Opens arenas in one method, fills them in another one, and closes none. */
public final class SplitProgram {
  static final int ARENAS = 2_000;
  static final int BYTES = 64 << 10;

  private static final List<Object> OPEN = new ArrayList<>();

  private SplitProgram() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    for (int i = 0; i < ARENAS; i++) {
      encode(begin());
    }
    System.out.println(OPEN.size());
  }

  private static Object begin() throws ReflectiveOperationException {
    Object arena = Class.forName("java.lang.foreign.Arena").getMethod("ofShared").invoke(null);
    OPEN.add(arena);
    return arena;
  }

  private static void encode(Object arena) throws ReflectiveOperationException {
    Class<?> type = Class.forName("java.lang.foreign.Arena");
    type.getMethod("allocate", long.class, long.class).invoke(arena, (long) BYTES, 1L);
  }
}
