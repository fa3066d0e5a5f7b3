package dev.offcut.memory;

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
  private static final long QUARANTINE_BYTES = 1 << 20;

  /** Checks for double and foreign frees only. */
  public static final Hardening OFF = new Hardening(0, -1);

  /** All checks of {@link #full}, with a quarantine of 1 MiB. */
  public static final Hardening FULL = full(QUARANTINE_BYTES);

  private final int oneIn;
  private final long quarantineBytes;

  private Hardening(int oneIn, long quarantineBytes) {
    this.oneIn = oneIn;
    this.quarantineBytes = quarantineBytes;
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
    return new Hardening(oneIn, -1);
  }

  /** The blocks of a new heap. */
  Blocks openBlocks(OpenHeaps heaps) {
    if (oneIn > 0) {
      return new SampledBlocks(heaps, oneIn);
    }
    return quarantineBytes < 0 ? new Blocks(heaps) : new FullBlocks(heaps, quarantineBytes);
  }

  @Override
  public String toString() {
    if (oneIn > 0) {
      return "sampled 1 in " + oneIn;
    }
    return quarantineBytes < 0 ? "off" : "full, " + quarantineBytes + " bytes in quarantine";
  }
}
