package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What the view adds to the map: boxes, collections, the tolerance of other classes. */
class ViewTest {
  private final ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
  private final ConcurrentMap<Long, String> view = map.asConcurrentMap();

  private List<Collection<?>> collections() {
    return List.of(view.keySet(), view.values(), view.entrySet());
  }

  @Test
  void streams_theMapChangesMeanwhile_collectWhatTheySee() {
    for (int i = 0; i < 100; i++) {
      map.put(i, "stable");
    }
    for (Collection<?> collection : collections()) {
      int[] next = {1000};
      Object[] seen =
          collection.stream()
              .map(
                  element -> {
                    map.put(next[0]++, "new");
                    return element;
                  })
              .toArray();
      assertThat(seen).hasSizeBetween(100, 100 + next[0]);
    }
  }

  /**
   * What another thread does between the test and the removal is done in the test, to be certain.
   */
  @Test
  void removals_theValueChangesMeanwhile_keepTheNewOne() {
    map.put(1, "old");
    assertThat(view.values().removeIf(this::change)).isFalse();
    assertThat(view.entrySet().removeIf(entry -> change(entry.getValue()))).isFalse();
    Object changing =
        new Object() {
          @Override
          public boolean equals(Object other) {
            return other instanceof String s && change(s);
          }

          @Override
          public int hashCode() {
            return 0;
          }
        };
    Collection<Object> withAll = listOf(this::change, true);
    Collection<Object> withNone = listOf(this::change, false);
    assertThat(view.values().remove(changing)).isFalse();
    assertThat(view.values().removeAll(withAll)).isFalse();
    assertThat(view.values().retainAll(withNone)).isFalse();
    assertThat(view.entrySet().removeAll(withAll)).isFalse();
    assertThat(view.entrySet().retainAll(withNone)).isFalse();
    assertThat(map.get(1)).startsWith("new");
  }

  private boolean change(String tested) {
    assertThat(map.get(1)).isEqualTo(tested);
    map.put(1, "new after " + tested);
    return true;
  }

  /** A collection that has all that it is asked for, or nothing. */
  private static Collection<Object> listOf(Predicate<String> asked, boolean has) {
    return new AbstractCollection<>() {
      @Override
      public boolean contains(Object element) {
        return asked.test((String) (element instanceof Map.Entry<?, ?> e ? e.getValue() : element))
            == has;
      }

      @Override
      public Iterator<Object> iterator() {
        throw new AssertionError("asked for its elements");
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  @Test
  void removals_ofWhatStays_remove() {
    view.putAll(Map.of(1L, "a", 2L, "b", 3L, "c", 4L, "d", 5L, "e"));
    assertThat(view.keySet().removeIf(key -> key == 1)).isTrue();
    assertThat(view.values().remove("b")).isTrue();
    assertThat(view.values().remove("b")).isFalse();
    assertThat(view.values().removeIf(value -> value.equals("c"))).isTrue();
    assertThat(view.entrySet().removeIf(entry -> entry.getKey() == 4)).isTrue();
    assertThat(view.entrySet().removeIf(entry -> entry.getKey() == 4)).isFalse();
    assertThat(view).isEqualTo(Map.of(5L, "e"));
    view.putAll(Map.of(1L, "a", 2L, "b"));
    assertThat(view.entrySet().removeAll(Set.of(Map.entry(1L, "a"), Map.entry(2L, "x")))).isTrue();
    assertThat(view.values().retainAll(Set.of("b", "e"))).isFalse();
    assertThat(view.values().removeAll(Set.of("e"))).isTrue();
    assertThat(view.entrySet().retainAll(Set.of(Map.entry(2L, "b")))).isFalse();
    assertThat(view).isEqualTo(Map.of(2L, "b"));
    view.replaceAll((key, value) -> value + key);
    assertThat(view).isEqualTo(Map.of(2L, "b2"));
    assertThatThrownBy(() -> view.replaceAll((key, value) -> null))
        .isInstanceOf(NullPointerException.class);
  }
}
