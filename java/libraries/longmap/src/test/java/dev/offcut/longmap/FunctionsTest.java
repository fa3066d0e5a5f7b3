package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.longmap.Keys.Shape;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Functions that make values: what they are given, what becomes of what they return or throw. */
@Timeout(600)
class FunctionsTest {
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static String refuse() {
    throw new Refusal();
  }

  @ParameterizedTest
  @EnumSource
  void function_throws_reachesTheCallerAndChangesNothing(Shape shape) {
    ConcurrentLongMap<String> map = shape.map();
    map.put(0, "a");
    assertThatThrownBy(() -> map.computeIfAbsent(1, k -> refuse())).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> map.computeIfPresent(0, (k, v) -> refuse()))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> map.compute(0, (k, v) -> refuse())).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> map.compute(1, (k, v) -> refuse())).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> map.merge(0, "b", (x, y) -> refuse())).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> map.forEach((k, v) -> refuse())).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> map.removeIf((k, v) -> refuse().isEmpty()))
        .isInstanceOf(Refusal.class);
    assertThat(map.asConcurrentMap()).hasSize(1).containsEntry(0L, "a");
    assertThat(Inside.verify(map)).isEqualTo(1);
  }

  @Test
  void functions_null_areRefused() {
    ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
    assertThatThrownBy(() -> map.computeIfAbsent(0, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.computeIfPresent(0, null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.compute(0, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.merge(0, "a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.merge(0, null, (x, y) -> x))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.forEach(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.removeIf(null)).isInstanceOf(NullPointerException.class);
    assertThat(map.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void computeIfAbsent_functionPutsTheSameKey_keepsTheInnerValue(Shape shape) {
    ConcurrentLongMap<String> map = shape.map();
    String result =
        map.computeIfAbsent(
            0,
            k -> {
              assertThat(map.computeIfAbsent(0, j -> "inner")).isEqualTo("inner");
              return "outer";
            });
    assertThat(result).isEqualTo("inner");
    assertThat(map.get(0)).isEqualTo("inner");
    assertThat(map.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void computeIfAbsent_functionFillsTheMap_growsItAndStoresBoth(Shape shape) {
    ConcurrentLongMap<Long> map = shape.map();
    assertThat(fill(map, 500)).isEqualTo(500);
    assertThat(map.size()).isEqualTo(501);
    assertThat(Inside.verify(map)).isEqualTo(501);
  }

  private static long fill(ConcurrentLongMap<Long> map, long key) {
    return map.computeIfAbsent(
        key,
        k -> {
          if (k > 0) {
            fill(map, k - 1);
          }
          return k;
        });
  }

  @ParameterizedTest
  @EnumSource
  void compute_functionChangesTheSameKey_isCalledAgain(Shape shape) {
    ConcurrentLongMap<String> map = shape.map();
    map.put(0, "a");
    AtomicInteger calls = new AtomicInteger();
    String result =
        map.compute(
            0,
            (k, v) -> {
              if (calls.getAndIncrement() == 0) {
                map.put(0, "b");
              }
              return v + "!";
            });
    assertThat(result).isEqualTo("b!");
    assertThat(calls).hasValue(2);
  }

  /** Whether the key is there before, and whatever way the function writes it. */
  @ParameterizedTest
  @EnumSource
  void compute_functionAlwaysWritesTheSameKey_saysSo(Shape shape) {
    ConcurrentLongMap<Long> map = shape.map();
    for (long key : Keys.SPECIAL) {
      long[] calls = {0};
      map.put(key, -1L);
      refusesRecursion(() -> map.compute(key, (k, v) -> put(map, k, calls)));
      refusesRecursion(() -> map.computeIfPresent(key, (k, v) -> put(map, k, calls)));
      refusesRecursion(() -> map.merge(key, 7L, (v, w) -> put(map, key, calls)));
      refusesRecursion(
          () -> map.asConcurrentMap().replaceAll((k, v) -> k == key ? put(map, k, calls) : v));
      refusesRecursion(() -> map.compute(key, (k, v) -> map.compute(k, (l, w) -> ++calls[0])));
      assertThat(map.get(key)).isEqualTo(calls[0]);
      refusesRecursion(
          () -> map.compute(key, (k, v) -> v == null ? put(map, k, calls) : map.remove(k)));
    }
    assertThat(Inside.verify(map)).isEqualTo(map.size());
  }

  private static Long put(ConcurrentLongMap<Long> map, long key, long[] calls) {
    map.put(key, ++calls[0]);
    return -2L;
  }

  private static void refusesRecursion(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Recursive update");
  }

  /** Another key, another map, and other threads are no recursion, however often they change. */
  @Test
  void compute_othersChangeTheKey_goesOn() throws Exception {
    ConcurrentLongMap<Long> map = new ConcurrentLongMap<>();
    ConcurrentLongMap<Long> another = new ConcurrentLongMap<>();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      long[] calls = {0};
      Long made =
          map.compute(
              1,
              (k, v) -> {
                another.put(1, ++calls[0]);
                map.put(2, calls[0]);
                if (calls[0] < 500) {
                  join(other.submit(() -> map.put(1, calls[0])));
                }
                return calls[0];
              });
      assertThat(made).isEqualTo(500).isEqualTo(map.get(1));
    } finally {
      other.shutdown();
    }
  }

  private static void join(Future<?> task) {
    try {
      task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void merge_functionRemovesTheSameKey_storesTheValueAlone(Shape shape) {
    ConcurrentLongMap<String> map = shape.map();
    map.put(0, "a");
    String result =
        map.merge(
            0,
            "b",
            (x, y) -> {
              map.remove(0);
              return x + y;
            });
    assertThat(result).isEqualTo("b");
    assertThat(map.get(0)).isEqualTo("b");
  }

  @ParameterizedTest
  @EnumSource
  void equals_ofAValueUsesTheMap_neitherHangsNorBreaks(Shape shape) {
    ConcurrentLongMap<Object> map = shape.map();
    Object meddler =
        new Object() {
          @Override
          public boolean equals(Object other) {
            map.put(1, "from equals");
            return other == this;
          }

          @Override
          public int hashCode() {
            return 0;
          }
        };
    map.put(0, meddler);
    assertThat(map.remove(0, meddler)).isTrue();
    assertThat(map.replace(0, meddler, "a")).isFalse();
    assertThat(map.get(1)).isEqualTo("from equals");
  }
}
