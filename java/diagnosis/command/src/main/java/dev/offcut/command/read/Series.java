package dev.offcut.command.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures over time; null where one is not known yet.
 *
 * @param time seconds since the first
 * @param heapUsed bytes of the Java heap in use, garbage included
 * @param heapAfter what of it was in use after the last collection
 * @param account null if nobody looked where resident memory is
 */
public record Series(
    List<Double> time,
    List<@Nullable Long> resident,
    List<@Nullable Long> heapCommitted,
    List<@Nullable Long> heapUsed,
    List<@Nullable Long> heapAfter,
    List<OfKind> kinds,
    List<@Nullable Long> handlesOpen,
    List<Collection> gc,
    @Nullable Account account) {
  Series with(@Nullable Account other) {
    return new Series(
        time, resident, heapCommitted, heapUsed, heapAfter, kinds, handlesOpen, gc, other);
  }

  /**
   * Where resident memory was over time. At each time the rows add up to what was resident.
   *
   * @param time seconds, as those of the series
   * @param threads how many there were
   */
  public record Account(
      List<Double> time, List<Long> resident, List<Integer> threads, List<Row> rows) {
    /** Whether it would show that a part grows. */
    public boolean isLongEnough() {
      return GrowthRates.isLongEnough(time);
    }
  }

  /** A part of resident memory over time; one that was always empty has no row. */
  public record Row(String part, List<Long> bytes) {}

  /** The bytes of a kind over time, those that are lost included. */
  public record OfKind(String kind, List<@Nullable Long> bytes) {}

  /**
   * A garbage collection; or those of a second, of which the sum alone is known.
   *
   * @param time seconds, as those of the series
   * @param pause all its pauses, in milliseconds
   * @param cause of the last one
   * @param count how many collections, or pauses, it stands for
   */
  public record Collection(double time, double pause, String cause, long count) {}
}
