package dev.offcut.replay.trace;

import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.trace.Op.ClassMemory;
import dev.offcut.replay.trace.Op.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * The program that JDK-8198423 was shown with: in a class space of 10 MiB, 3,000 loaders with one
 * small class each, all dropped, then large classes in one loader until nothing fits.
 *
 * <p>A class without members has about 60 words in class space and 58 elsewhere; one with 300
 * public methods 360 and 6,360, for each method has two blocks of its own there.
 */
public final class Example2 {
  public static final String SMALL = "small";
  public static final String LARGE = "large";
  public static final String BEFORE = "before unloading";
  public static final String AFTER = "after unloading";

  private static final long CLASS_SPACE_BYTES = 10 << 20;
  private static final int SMALL_LOADERS = 3000;

  /** What the JVM and the compiler have loaded: 1,900 KiB of class space. */
  private static final int BASE_CLASSES = 4053;

  private static final ClassMemory SMALL_CLASS = new ClassMemory(60, 58, 3);
  private static final ClassMemory LARGE_CLASS = new ClassMemory(360, 6360, 603);

  private static final Range BASE = Range.of(0);
  private static final Range SMALL_ARENAS = new Range(1, SMALL_LOADERS);
  private static final Range LARGE_ARENA = Range.of(SMALL_LOADERS + 1);

  private Example2() {}

  /** The trace, which is also {@code spec/replay-example2.jsonl}. */
  public static Trace trace() {
    List<Op> ops = new ArrayList<>();
    int line = 2;
    ops.add(new Op.Open(line++, BASE, ArenaKind.BOOT));
    ops.add(new Op.Allocate(line++, BASE, "", SMALL_CLASS, BASE_CLASSES));
    ops.add(new Op.Open(line++, SMALL_ARENAS, ArenaKind.STANDARD));
    ops.add(new Op.Allocate(line++, SMALL_ARENAS, SMALL, SMALL_CLASS, 1));
    ops.add(new Op.Mark(line++, BEFORE));
    ops.add(new Op.Close(line++, SMALL_ARENAS));
    ops.add(new Op.Purge(line++));
    ops.add(new Op.Mark(line++, AFTER));
    ops.add(new Op.Open(line++, LARGE_ARENA, ArenaKind.STANDARD));
    ops.add(new Op.Allocate(line, LARGE_ARENA, LARGE, LARGE_CLASS, Op.Allocate.UNTIL_FULL));
    return new Trace("Example2 of JDK-8198423", CLASS_SPACE_BYTES, null, List.copyOf(ops));
  }
}
