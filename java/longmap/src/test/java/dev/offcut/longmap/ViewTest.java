package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.AbstractMap;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;

/** What the view adds to the map: boxes, collections, the tolerance of other classes. */
class ViewTest {
  private final ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
  private final ConcurrentMap<Long, String> view = map.asConcurrentMap();

  private List<Collection<?>> collections() {
    return List.of(view.keySet(), view.values(), view.entrySet());
  }

  @Test
  void writes_goThroughBothWays() {
    view.put(1L, "a");
    assertThat(map.get(1)).isEqualTo("a");
    map.put(2, "b");
    assertThat(view).containsEntry(2L, "b").hasSize(2);
    assertThat(view.merge(2L, "c", String::concat)).isEqualTo("bc");
    assertThat(view.compute(2L, (k, v) -> null)).isNull();
    assertThat(view.computeIfAbsent(3L, k -> "made " + k)).isEqualTo("made 3");
    assertThat(view.computeIfPresent(3L, (k, v) -> v + k)).isEqualTo("made 33");
    assertThat(map.keys()).containsExactlyInAnyOrder(1, 3);
    view.clear();
    assertThat(map.isEmpty()).isTrue();
  }

  @Test
  void keysOfAnotherClass_areAbsent() {
    map.put(1, "a");
    for (Object other : new Object[] {1, "1", this}) {
      assertThat(view.get(other)).isNull();
      assertThat(view.containsKey(other)).isFalse();
      assertThat(view.remove(other)).isNull();
      assertThat(view.remove(other, "a")).isFalse();
      assertThat(view.getOrDefault(other, "b")).isEqualTo("b");
      assertThat(view.keySet().contains(other)).isFalse();
      assertThat(view.entrySet().contains(other)).isFalse();
      assertThat(view.entrySet().remove(other)).isFalse();
      assertThat(view.entrySet().contains(new AbstractMap.SimpleEntry<>(other, "a"))).isFalse();
    }
    assertThat(view).hasSize(1);
  }

  @Test
  void nullKeysAndValues_areRefused() {
    map.put(1, "a");
    assertThatThrownBy(() -> view.get(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> view.containsKey(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> view.containsValue(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> view.remove(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> view.remove(null, "a")).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> view.put(null, "a")).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> view.put(1L, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> view.replace(1L, "a", null)).isInstanceOf(NullPointerException.class);
    assertThat(view).hasSize(1).containsEntry(1L, "a");
  }

  @Test
  void entry_setValue_writesThrough() {
    map.put(1, "a");
    Map.Entry<Long, String> entry = view.entrySet().iterator().next();
    assertThat(entry.setValue("b")).isEqualTo("a");
    assertThat(entry).isEqualTo(Map.entry(1L, "b"));
    assertThat(map.get(1)).isEqualTo("b");
    assertThatThrownBy(() -> entry.setValue(null)).isInstanceOf(NullPointerException.class);
    assertThat(map.get(1)).isEqualTo("b");
  }

  @Test
  void iterators_misused_saySo() {
    map.put(1, "a");
    for (Collection<?> collection : collections()) {
      Iterator<?> iterator = collection.iterator();
      assertThatThrownBy(iterator::remove).isInstanceOf(IllegalStateException.class);
      iterator.next();
      assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }
    Iterator<Long> keys = view.keySet().iterator();
    keys.next();
    keys.remove();
    assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
    assertThat(map.isEmpty()).isTrue();
  }

  /** Else a stream fails where the size changes while it is collected. */
  @Test
  void spliterators_promiseNoSize() {
    map.put(1, "a");
    for (Collection<?> collection : collections()) {
      Spliterator<?> spliterator = collection.spliterator();
      assertThat(spliterator.hasCharacteristics(Spliterator.SIZED)).isFalse();
      assertThat(spliterator.hasCharacteristics(Spliterator.SUBSIZED)).isFalse();
    }
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

  @Test
  void equalsAndHashCode_areThoseOfAMap() {
    Map<Long, String> model = Map.of(0L, "a", -1L, "b", Long.MIN_VALUE, "c");
    view.putAll(model);
    assertThat(view).isEqualTo(model).hasSameHashCodeAs(model);
    assertThat(model).isEqualTo(view);
  }
}
