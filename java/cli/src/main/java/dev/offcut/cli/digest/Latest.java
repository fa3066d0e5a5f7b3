package dev.offcut.cli.digest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The latest value of each key. Events are not read in the order in which they happened: each
 * thread of the program has written its own.
 */
final class Latest<K, V> {
  /** What is emitted together has about the same time. */
  private static final Duration ROUND = Duration.ofSeconds(1);

  private record Dated<V>(Instant time, V value) {}

  private final Map<K, Dated<V>> values = new LinkedHashMap<>();
  private Instant last = Instant.MIN;

  void put(K key, Instant time, V value) {
    values.merge(
        key,
        new Dated<>(time, value),
        (known, given) -> given.time().isBefore(known.time()) ? known : given);
    last = time.isAfter(last) ? time : last;
  }

  @Nullable V get(K key) {
    Dated<V> dated = values.get(key);
    return dated == null ? null : dated.value();
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  Set<K> keys() {
    return Collections.unmodifiableSet(values.keySet());
  }

  /** Of all keys, in the order in which they were first seen. */
  List<V> all() {
    return values.values().stream().map(Dated::value).toList();
  }

  /** Of those keys alone that are in the last round: others are of what is gone. */
  List<V> inLastRound() {
    List<V> round = new ArrayList<>();
    for (Dated<V> dated : values.values()) {
      if (!dated.time().isBefore(last.minus(ROUND))) {
        round.add(dated.value());
      }
    }
    return round;
  }
}
