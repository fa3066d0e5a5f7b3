package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** It sorts as what {@link Comparator} makes. */
class OrderTest {
  private record One(long size, int count, String name) {}

  private final List<One> all = new ArrayList<>();

  OrderTest() {
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      all.add(new One(random.nextLong(5), random.nextInt(3), String.valueOf(random.nextInt(20))));
    }
  }

  private List<One> sorted(Comparator<One> order) {
    return all.stream().sorted(order).toList();
  }

  @Test
  void by_isAsOfTheJdk() {
    assertThat(sorted(Order.byLong(One::size)))
        .isEqualTo(sorted(Comparator.comparingLong(One::size)));
    assertThat(sorted(Order.byInt(One::count)))
        .isEqualTo(sorted(Comparator.comparingInt(One::count)));
    assertThat(sorted(Order.by(One::name))).isEqualTo(sorted(Comparator.comparing(One::name)));
  }

  @Test
  void then_isAsOfTheJdk() {
    Comparator<One> jdk =
        Comparator.comparing(One::name)
            .reversed()
            .thenComparingLong(One::size)
            .thenComparing(One::count);
    assertThat(
            sorted(
                Order.by(One::name)
                    .reversed()
                    .thenComparingLong(One::size)
                    .thenComparing(One::count)))
        .isEqualTo(sorted(jdk));
    assertThat(sorted(Order.byInt(One::count).thenComparing(Order.byLong(One::size)).reversed()))
        .isEqualTo(
            sorted(Comparator.comparingInt(One::count).thenComparingLong(One::size).reversed()));
  }
}
