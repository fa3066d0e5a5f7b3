package dev.offcut.memory;

/**
 * Selects the checks of a heap beyond those for double and foreign frees, which every heap has.
 *
 * <ul>
 *   <li>{@link #OFF}: nothing more.
 *   <li>{@link #sampled}: one block in N lies between pages without access. For production: an
 *       allocation that is not selected costs only the drawing of a random number.
 *   <li>{@link #FULL}: each block has a canary behind it, is filled with a pattern when it is
 *       freed, and is not used again for a while. For tests: several times the work.
 * </ul>
 */
public final class Hardening {
  private static final long QUARANTINE_BYTES = 1 << 20;

  /** Only the checks for double and foreign frees. */
  public static final Hardening OFF = new Hardening(0, -1);

  /** All checks, with a quarantine of 1 MiB. */
  public static final Hardening FULL = full(QUARANTINE_BYTES);

  private final int oneIn;
  private final long quarantineBytes;

  private Hardening(int oneIn, long quarantineBytes) {
    this.oneIn = oneIn;
    this.quarantineBytes = quarantineBytes;
  }

  /**
   * One block in N, chosen at random, lies between guard pages, which are pages without access: the
   * block ends at the beginning of a guard page, and guard pages lie before it. Once the block is
   * freed, its own pages become guard pages. Touching a guard page raises SIGSEGV: the JVM ends,
   * with the address in its report. Each such block takes at least 64 KiB; at most 256 such blocks
   * exist at a time.
   *
   * @param oneIn the N above: the sampling interval in allocations; 1 selects every block
   * @return the setting
   * @throws IllegalArgumentException if {@code oneIn} is below 1
   */
  public static Hardening sampled(int oneIn) {
    if (oneIn < 1) {
      throw new IllegalArgumentException("1 in " + oneIn + ": give 1 or more");
    }
    return new Hardening(oneIn, -1);
  }

  /**
   * All checks.
   *
   * @param quarantineBytes how many bytes of freed blocks wait before they are used again
   * @return the setting
   * @throws IllegalArgumentException if {@code quarantineBytes} is negative
   */
  public static Hardening full(long quarantineBytes) {
    if (quarantineBytes < 0) {
      throw new IllegalArgumentException(quarantineBytes + " bytes in quarantine: give 0 or more");
    }
    return new Hardening(0, quarantineBytes);
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
