package dev.offcut.memory;

import java.util.function.Function;

/**
 * The level of checks in a heap. Every heap checks for double and foreign frees; a level adds
 * checks for stray writes.
 *
 * <ul>
 *   <li>{@link #OFF} adds nothing.
 *   <li>{@link #sampled} places one block in N between pages without access. It is meant for
 *       production: for all remaining allocations, the heap only draws one random number.
 *   <li>{@link #FULL} writes a canary behind each block, fills each freed block with a pattern, and
 *       hands it out again only after a while. It is meant for tests: an allocation costs several
 *       times as much.
 * </ul>
 */
public final class Hardening {
  /** Checks for double and foreign frees only. */
  public static final Hardening OFF = new Hardening("off", Blocks::new);

  /**
   * Checks every block. A canary behind the block is checked when the block is freed. The freed
   * block is filled with a pattern and waits in a quarantine of 1 MiB; the pattern is checked
   * before the block is handed out again.
   */
  public static final Hardening FULL = new Hardening("full", FullBlocks::new);

  private final String name;
  private final Function<OpenHeaps, Blocks> blocks;

  private Hardening(String name, Function<OpenHeaps, Blocks> blocks) {
    this.name = name;
    this.blocks = blocks;
  }

  /**
   * Guards one block in N, chosen at random. A guarded block ends where a page without access
   * begins, and such pages also lie before it. When the block is freed, its own pages lose their
   * access, too. Touching such a page raises SIGSEGV: the JVM crashes, and its crash report has the
   * address.
   *
   * <p>A guarded block takes at least 64 KiB. At most 256 guarded blocks exist at a time.
   *
   * @param oneIn the N above, in allocations; 1 guards every block, as long as there are at most
   *     256
   * @return the setting
   * @throws IllegalArgumentException if {@code oneIn} is below 1
   */
  public static Hardening sampled(int oneIn) {
    if (oneIn < 1) {
      throw new IllegalArgumentException("1 in " + oneIn + ": give 1 or more");
    }
    return new Hardening("sampled 1 in " + oneIn, heaps -> new SampledBlocks(heaps, oneIn));
  }

  /** The blocks of a new heap. */
  Blocks openBlocks(OpenHeaps heaps) {
    return blocks.apply(heaps);
  }

  @Override
  public String toString() {
    return name;
  }
}
