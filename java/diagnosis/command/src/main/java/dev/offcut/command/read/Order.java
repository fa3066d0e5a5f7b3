package dev.offcut.command.read;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * What {@link Comparator} makes, by classes that an archive of classes can have. Those of the JDK
 * can be serialized, so each kind of them is made anew in each run, which takes a millisecond.
 *
 * @param <T> what is compared
 */
public final class Order<T> implements Comparator<T> {
  private final Comparator<T> order;

  private Order(Comparator<T> order) {
    this.order = order;
  }

  /** By a number, the smallest first. */
  public static <T> Order<T> byLong(ToLongFunction<? super T> key) {
    return new Order<>((one, other) -> Long.compare(key.applyAsLong(one), key.applyAsLong(other)));
  }

  /** By a number, the smallest first. */
  public static <T> Order<T> byInt(ToIntFunction<? super T> key) {
    return new Order<>((one, other) -> Integer.compare(key.applyAsInt(one), key.applyAsInt(other)));
  }

  /** By what can be compared itself. */
  public static <T, K extends Comparable<? super K>> Order<T> by(
      Function<? super T, ? extends K> key) {
    return new Order<>((one, other) -> key.apply(one).compareTo(key.apply(other)));
  }

  @Override
  public int compare(T one, T other) {
    return order.compare(one, other);
  }

  @Override
  public Order<T> reversed() {
    return new Order<>((one, other) -> order.compare(other, one));
  }

  @Override
  public Order<T> thenComparing(Comparator<? super T> next) {
    return new Order<>(
        (one, other) -> {
          int first = order.compare(one, other);
          return first == 0 ? next.compare(one, other) : first;
        });
  }

  @Override
  public Order<T> thenComparingLong(ToLongFunction<? super T> key) {
    return thenComparing(byLong(key));
  }

  @Override
  public <K extends Comparable<? super K>> Order<T> thenComparing(
      Function<? super T, ? extends K> key) {
    return thenComparing(by(key));
  }
}
