package dev.offcut.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Measured numbers in reports: as many digits as mean something. */
public final class Numbers {
  private static final MathContext ROW = new MathContext(6);
  private static final MathContext TABLE = new MathContext(3);

  /** A spread below this part of the value is none. */
  private static final double INVISIBLE = 1000;

  private Numbers() {}

  /** For the JSON. */
  public static BigDecimal exact(double value) {
    BigDecimal rounded = new BigDecimal(value).round(ROW).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }

  /** All digits of a number that somebody chose. */
  static String plain(double value) {
    return exact(value).toPlainString();
  }

  /** Three digits; whole numbers in full. */
  public static String brief(double value) {
    return rounded(value).toPlainString();
  }

  /** A value and how far its rounds lie apart, in the value's places. */
  public static String brief(double value, double spread) {
    BigDecimal places = new BigDecimal(spread).setScale(rounded(value).scale(), RoundingMode.UP);
    boolean visible = spread > Math.abs(value) / INVISIBLE;
    return brief(value) + (visible ? " ±" + places.toPlainString() : "");
  }

  private static BigDecimal rounded(double value) {
    if (Math.abs(value) >= 1000 || value == Math.rint(value)) {
      return BigDecimal.valueOf(Math.round(value));
    }
    return new BigDecimal(value).round(TABLE);
  }
}
