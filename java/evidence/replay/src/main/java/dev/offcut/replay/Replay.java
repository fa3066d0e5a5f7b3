package dev.offcut.replay;

import dev.offcut.replay.Result.Snapshot;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.space.Space;
import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.space.Words;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run, under one policy, of the program that JDK-8198423 was shown with: 3,000 loaders with one
 * small class each, all dropped, then large classes in one loader until none fits. For one thread,
 * once.
 *
 * <p>A class without members has about 60 words in class space and 58 elsewhere. A class with 300
 * public methods has 360 and 6,360, because each method has two blocks there.
 */
public final class Replay implements AutoCloseable {
  /** The class space of the program. */
  public static final long CLASS_SPACE_BYTES = 10 << 20;

  /** As without -XX:MaxMetaspaceSize, but finite, as a mistake is not: 4 GiB. */
  private static final long NON_CLASS_WORDS = 512L << 20;

  private static final int SMALL_LOADERS = 3000;

  /** What the JVM and the compiler have loaded: 1,900 KiB of class space. */
  private static final int BASE_CLASSES = 4053;

  private static final ClassMemory SMALL = new ClassMemory(60, 58, 3);
  private static final ClassMemory LARGE = new ClassMemory(360, 6360, 603);

  /**
   * The memory that a class takes.
   *
   * @param classWords one block in class space
   * @param nonClassWords elsewhere, all blocks together
   * @param nonClassBlocks how many blocks of about one size that is
   */
  private record ClassMemory(long classWords, long nonClassWords, int nonClassBlocks) {
    long nonClassBlock(int index) {
      long larger = nonClassWords % nonClassBlocks;
      return nonClassWords / nonClassBlocks + (index < larger ? 1 : 0);
    }
  }

  /** Both parts of a loader's memory. */
  private record Loader(Space.Arena inClassSpace, Space.Arena elsewhere) {
    void close() {
      inClassSpace.close();
      elsewhere.close();
    }
  }

  private final Policy policy;
  private final int survivors;
  private final Space classSpace;
  private final Space nonClass;

  /** Those that are open. */
  private final Set<Loader> loaders = new LinkedHashSet<>();

  private final List<Snapshot> snapshots = new ArrayList<>();
  private int small;
  private int large;

  private boolean full;

  /**
   * @param classSpaceBytes its size, a multiple of 64 KiB
   * @param survivors one in this many small loaders stays open; 0: none
   */
  public Replay(Policy policy, long classSpaceBytes, int survivors) {
    this.policy = policy;
    this.survivors = survivors;
    this.classSpace = policy.space(Space.Kind.CLASS, classSpaceBytes / Words.BYTES);
    this.nonClass = policy.space(Space.Kind.NON_CLASS, NON_CLASS_WORDS);
  }

  /** Runs the program until memory is out. */
  public Result run() {
    Loader boot = open(ArenaKind.BOOT);
    for (int i = 0; i < BASE_CLASSES && !full; i++) {
      load(boot, SMALL);
    }
    List<Loader> dropped = openSmall();
    for (int i = 0; i < dropped.size() && !full; i++) {
      small += load(dropped.get(i), SMALL);
    }
    boolean isEarly = full;
    if (!isEarly) {
      look("before unloading");
      unload(dropped);
      look("after unloading");
      Loader last = open(ArenaKind.STANDARD);
      while (!full) {
        large += load(last, LARGE);
      }
    }
    look("at failure");
    return new Result(policy.name(), small, large, List.copyOf(snapshots), isEarly);
  }

  private List<Loader> openSmall() {
    List<Loader> opened = new ArrayList<>();
    for (int i = 0; i < SMALL_LOADERS && !full; i++) {
      Loader loader = open(ArenaKind.STANDARD);
      if (loader != null) {
        opened.add(loader);
      }
    }
    return opened;
  }

  private void unload(List<Loader> dropped) {
    for (int i = 1; i <= dropped.size(); i++) {
      if (survivors == 0 || i % survivors != 0) {
        dropped.get(i - 1).close();
        loaders.remove(dropped.get(i - 1));
      }
    }
    classSpace.purge();
    nonClass.purge();
  }

  /** A new loader; null if a space is full, as noted. */
  private @Nullable Loader open(ArenaKind kind) {
    Space.Arena inClassSpace = classSpace.open(kind);
    Space.Arena elsewhere = inClassSpace == null ? null : nonClass.open(kind);
    if (inClassSpace == null || elsewhere == null) {
      full = true;
      return null;
    }
    Loader loader = new Loader(inClassSpace, elsewhere);
    loaders.add(loader);
    return loader;
  }

  /** Loads a class: 1, or 0 if a space is full, as noted. */
  private int load(@Nullable Loader loader, ClassMemory memory) {
    if (loader == null) {
      return 0;
    }
    for (int block = 0; block < memory.nonClassBlocks(); block++) {
      if (!loader.elsewhere().allocate(memory.nonClassBlock(block))) {
        full = true;
        return 0;
      }
    }
    if (!loader.inClassSpace().allocate(memory.classWords())) {
      full = true;
      return 0;
    }
    return 1;
  }

  private void look(String name) {
    snapshots.add(
        new Snapshot(
            name,
            new Snapshot.Look(classSpace.usage(), classSpace.map()),
            new Snapshot.Look(nonClass.usage(), nonClass.map())));
  }

  /** Gives all memory back. */
  @Override
  public void close() {
    loaders.forEach(Loader::close);
    loaders.clear();
    classSpace.close();
    nonClass.close();
  }
}
