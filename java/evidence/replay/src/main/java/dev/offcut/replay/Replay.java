package dev.offcut.replay;

import dev.offcut.replay.Result.Snapshot;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.space.Space;
import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.space.Words;
import dev.offcut.replay.trace.Op;
import dev.offcut.replay.trace.Op.ClassMemory;
import dev.offcut.replay.trace.Op.Range;
import dev.offcut.replay.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run of a trace under one policy. It ends where memory is out, unless the trace asked for as
 * much as there is. For one thread, once.
 */
public final class Replay implements AutoCloseable {
  /** As without -XX:MaxMetaspaceSize, but finite, as a mistake in a trace is not: 4 GiB. */
  private static final long NON_CLASS_WORDS = 512L << 20;

  /** Both parts of a loader's memory. */
  private record Loader(Space.Arena inClassSpace, Space.Arena elsewhere) {}

  private final Policy policy;
  private final Trace trace;
  private final int survivors;
  private final Space classSpace;
  private final Space nonClass;
  private final Map<Integer, Loader> loaders = new HashMap<>();
  private final Map<String, Long> classesByGroup = new LinkedHashMap<>();
  private final List<Snapshot> snapshots = new ArrayList<>();
  private Result.@Nullable Failure failure;
  private long classes;
  private int closes;

  /**
   * @param classSpaceBytes its size, a multiple of 64 KiB
   * @param survivors every so-manieth arena that the trace closes stays open; 0: none
   */
  public Replay(Policy policy, Trace trace, long classSpaceBytes, int survivors) {
    this.policy = policy;
    this.trace = trace;
    this.survivors = survivors;
    this.classSpace = policy.space(Space.Kind.CLASS, classSpaceBytes / Words.BYTES);
    this.nonClass = policy.space(Space.Kind.NON_CLASS, NON_CLASS_WORDS);
  }

  public Result run() {
    for (Op op : trace.ops()) {
      if (!run(op)) {
        break;
      }
    }
    if (failure == null) {
      look("at the end");
    }
    return new Result(policy.name(), classes, classesByGroup, List.copyOf(snapshots), failure);
  }

  /** Gives all memory back. */
  @Override
  public void close() {
    for (Loader loader : loaders.values()) {
      loader.inClassSpace().close();
      loader.elsewhere().close();
    }
    loaders.clear();
    classSpace.close();
    nonClass.close();
  }

  /** Whether to go on. */
  private boolean run(Op op) {
    return switch (op) {
      case Op.Open open -> open(open);
      case Op.Allocate allocate -> allocate(allocate);
      case Op.Close close -> close(close.arenas());
      case Op.Purge purge -> purge();
      case Op.Mark mark -> look(mark.name());
    };
  }

  private boolean open(Op.Open op) {
    for (int arena = op.arenas().first(); arena <= op.arenas().last(); arena++) {
      Loader loader = open(op.line(), op.kind());
      if (loader == null) {
        return false;
      }
      loaders.put(arena, loader);
    }
    return true;
  }

  private @Nullable Loader open(int line, ArenaKind kind) {
    Space.Arena inClassSpace = classSpace.open(kind);
    if (inClassSpace == null) {
      fail(line, Space.Kind.CLASS, false);
      return null;
    }
    Space.Arena elsewhere = nonClass.open(kind);
    if (elsewhere == null) {
      inClassSpace.close();
      fail(line, Space.Kind.NON_CLASS, false);
      return null;
    }
    return new Loader(inClassSpace, elsewhere);
  }

  private boolean allocate(Op.Allocate op) {
    Range arenas = op.arenas();
    for (long turn = 0; op.isUntilFull() || turn < op.times(); turn++) {
      for (int arena = arenas.first(); arena <= arenas.last(); arena++) {
        Space.Kind full = allocate(loader(arena), op.memory());
        if (full != null) {
          fail(op.line(), full, op.isUntilFull());
          return op.isUntilFull();
        }
        count(op.group());
      }
    }
    return true;
  }

  /** Which space is full; null if none is. */
  private Space.@Nullable Kind allocate(Loader loader, ClassMemory memory) {
    for (int block = 0; block < memory.nonClassBlocks(); block++) {
      if (!loader.elsewhere().allocate(memory.nonClassBlock(block))) {
        return Space.Kind.NON_CLASS;
      }
    }
    boolean fitted =
        memory.classWords() == 0 || loader.inClassSpace().allocate(memory.classWords());
    return fitted ? null : Space.Kind.CLASS;
  }

  private void count(String group) {
    classes++;
    if (!group.isEmpty()) {
      classesByGroup.merge(group, 1L, Long::sum);
    }
  }

  private boolean close(Range arenas) {
    for (int arena = arenas.first(); arena <= arenas.last(); arena++) {
      closes++;
      if (survivors == 0 || closes % survivors != 0) {
        Loader loader = loader(arena);
        loader.inClassSpace().close();
        loader.elsewhere().close();
        loaders.remove(arena);
      }
    }
    return true;
  }

  private boolean purge() {
    classSpace.purge();
    nonClass.purge();
    return true;
  }

  private boolean look(String name) {
    snapshots.add(
        new Snapshot(
            name,
            new Snapshot.Look(classSpace.usage(), classSpace.map()),
            new Snapshot.Look(nonClass.usage(), nonClass.map())));
    return true;
  }

  private void fail(int line, Space.Kind space, boolean expected) {
    if (failure == null) {
      look("at failure");
      failure = new Result.Failure(line, space, expected);
    }
  }

  private Loader loader(int arena) {
    return Objects.requireNonNull(loaders.get(arena));
  }
}
