package dev.offcut.memory;

/**
 * How much a heap looks for misuse beyond double and foreign frees, which are always found.
 *
 * <ul>
 *   <li>{@link #OFF}: nothing more.
 *   <li>{@link #sampled}: one block in so many lies between pages nobody may touch. For production:
 *       the others cost a random number.
 *   <li>{@link #FULL}: each block has a canary behind it, is filled with a pattern when it is
 *       freed, and is not used again for a while. For tests: several times the work.
 * </ul>
 */
public final class Hardening {
  private static final long QUARANTINE_BYTES = 1 << 20;

  /** Nothing beyond double and foreign frees. */
  public static final Hardening OFF = new Hardening(0, -1);

  /** All there is, with 1 MiB in quarantine. */
  public static final Hardening FULL = full(QUARANTINE_BYTES);

  private final int oneIn;
  private final long quarantineBytes;

  private Hardening(int oneIn, long quarantineBytes) {
    this.oneIn = oneIn;
    this.quarantineBytes = quarantineBytes;
  }

  /**
   * One block in so many, at random, lies between guard pages: it ends where one begins, and others
   * lie before it. Once it is freed, its own pages become guard pages. Touching one raises SIGSEGV:
   * the JVM ends, with the address in its report. Takes 64 KiB or more for each, up to 256 at a
   * time.
   *
   * @param oneIn the sampling interval in allocations; 1 takes each
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
   * All there is.
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
