package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.objectstream.Model.Copying;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.objectstream.Model.Pair;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that are short, and endless to hash. */
@Timeout(600)
class ExpansionTest {
  private static final StreamPolicy POLICY =
      StreamPolicy.allow(Pair.class, Copying.class, Order.class, Model.Status.class)
          .allowCollections()
          .maxDepth(200)
          .build();

  /** Levels of two, each of which lies twice in both of the one above. */
  static Stream<Named<Object>> laughs() {
    return Stream.of(
        named("lists", (a, b) -> new ArrayList<>(Arrays.asList(a, b))),
        named("arrays as lists", (a, b) -> Arrays.asList(a, b)),
        named("wrappers", (a, b) -> Collections.unmodifiableList(Arrays.asList(a, b))),
        named("singletons", (a, b) -> Arrays.asList(Collections.singletonList(a), b)),
        named("immutable lists", (a, b) -> List.of(a, b)),
        named("entries", (a, b) -> new AbstractMap.SimpleEntry<>(a, b)),
        named("records", Pair::new),
        named("records and lists", (a, b) -> new Pair(Arrays.asList(a, a), b)),
        named("records that copy", (a, b) -> new Copying(Arrays.asList(a, b))),
        named("records in copies", (a, b) -> new Copying(List.of(new Pair(a, b)))));
  }

  /** With a name, for its own text is as endless as its hash. */
  private static Named<Object> named(String name, BinaryOperator<Object> level) {
    return Named.of(name, laugh(level));
  }

  private static Object laugh(BinaryOperator<Object> level) {
    return Laughs.levels(25, level, level);
  }

  @ParameterizedTest
  @MethodSource("laughs")
  void readObject_ofSharedLevels_isRefusedByExpansion(Object laugh) {
    Streams.assertOver(POLICY, laugh).hasMessageContaining("maxExpansion 100000");
  }

  @Test
  void readObject_ofNestedHashSets_isRefusedByExpansion() {
    // else by the part of maxWork that so few bytes may take
    StreamPolicy policy = StreamPolicy.builder().allowCollections().maxWork(1L << 40).build();
    Streams.assertOver(policy, Laughs.sets(50)).hasMessageContaining("maxExpansion 100000");
    Streams.assertOver(policy, Laughs.mapKeys(50)).hasMessageContaining("maxExpansion 100000");
  }

  @Test
  void readObject_ofCollectionsThatContainThemselves_isRefused() {
    List<Object> self = new ArrayList<>();
    self.add(self);
    List<Object> one = new ArrayList<>();
    List<Object> other = new ArrayList<>(List.of(one));
    one.add(other);
    List<Object> throughRecord = new ArrayList<>();
    throughRecord.add(new Pair(throughRecord, "b"));
    Map<String, Object> map = new HashMap<>();
    map.put("a", map);
    for (Object circle : Arrays.asList(self, one, throughRecord, map)) {
      Streams.assertOver(POLICY, circle).hasMessageContaining("contains itself");
    }
  }

  @Test
  void readObject_ofHonestSharing_passes() throws Exception {
    List<String> shared = List.of("x", "y");
    Map<Object, Object> honest = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      honest.put(new Pair(shared, i), new Copying(List.of(shared, i)));
    }
    honest.put(Set.of(shared), "set");
    assertThat(Streams.pass(POLICY, honest)).isEqualTo(honest);
  }

  @Test
  void readObject_ofBrokenWrapper_isAnIOException() {
    assertThatThrownBy(() -> Streams.read(POLICY, Laughs.wrapperOfNull()))
        .isInstanceOf(java.io.ObjectStreamException.class);
  }

  @Test
  void maxExpansion_unlimited_readsTheSharedLevels() throws Exception {
    StreamPolicy unlimited =
        StreamPolicy.builder().allowCollections().maxExpansion(Long.MAX_VALUE).build();
    Object laugh = laugh((a, b) -> new ArrayList<>(Arrays.asList(a, b)));
    assertThat(Streams.pass(unlimited, laugh)).isNotNull();
  }
}
