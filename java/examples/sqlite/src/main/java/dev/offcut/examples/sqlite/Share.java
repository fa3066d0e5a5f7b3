package dev.offcut.examples.sqlite;

import java.math.BigDecimal;
import java.math.BigInteger;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A share of many, such as 1 %, in whole parts.
 *
 * @param parts how many of {@link #WHOLE}
 * @param text as the user wrote it
 */
record Share(long parts, String text) {
  static final long WHOLE = 1_000_000_000;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  static final Share NONE = new Share(0, "0%");

  /** The share of {@code total}. */
  Part of(long total) {
    long step = Math.max(1, (long) (total * GOLDEN));
    while (!BigInteger.valueOf(step).gcd(BigInteger.valueOf(total)).equals(BigInteger.ONE)) {
      step++;
    }
    return new Part(total, step, total * parts / WHOLE);
  }

  /**
   * A share of a known total: exactly so many, evenly spread, but without a period. Taking each
   * hundredth would meet a sampler that looks at each 128th always or never.
   *
   * @param total of how many
   * @param step the golden section of the total, and coprime to it: its multiples reach all
   * @param count how many are taken
   */
  record Part(long total, long step, long count) {
    /** Whether the one with this index, from 0 on, is taken. Right up to 2^31. */
    boolean takes(long index) {
      return index * step % total < count;
    }
  }

  /** Reads "1%", "0.5%" or "0.01". */
  static final class Converter implements ITypeConverter<Share> {
    @Override
    public Share convert(String text) {
      boolean percent = text.endsWith("%");
      String number = percent ? text.substring(0, text.length() - 1).strip() : text;
      try {
        BigDecimal share = new BigDecimal(number).movePointLeft(percent ? 2 : 0);
        long parts = share.multiply(BigDecimal.valueOf(WHOLE)).longValueExact();
        if (parts >= 0 && parts <= WHOLE && (percent || parts < WHOLE)) {
          return new Share(parts, text);
        }
      } catch (ArithmeticException | NumberFormatException e) {
        // Said below.
      }
      throw new TypeConversionException(
          "'" + text + "' is not a share; write it as 1%, 0.5% or 0.01, at most 100%");
    }
  }
}
