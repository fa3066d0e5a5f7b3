package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import dev.offcut.longmap.Keys.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The view as a ConcurrentMap, by guava's tests, in each shape. They are run here, a shape at a
 * time: an engine that reports each of the thousands takes a minute, they take a second.
 */
class ConcurrentMapTckTest {
  /** So many tests guava has for a map of these features. */
  private static final int AT_LEAST = 932;

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "PRESIZED", "ONE_BUCKET"})
  void view_passesGuavasTests(Shape shape) {
    TestResult result = new TestResult();
    suite(shape).run(result);
    SoftAssertions softly = new SoftAssertions();
    for (Enumeration<TestFailure> all : List.of(result.failures(), result.errors())) {
      for (TestFailure failure : Collections.list(all)) {
        softly.fail(failure.failedTest().toString(), failure.thrownException());
      }
    }
    softly.assertAll();
    assertThat(result.runCount()).isGreaterThanOrEqualTo(AT_LEAST);
  }

  private static TestSuite suite(Shape shape) {
    return ConcurrentMapTestSuiteBuilder.using(new Generator(shape))
        .named("view of " + shape)
        .withFeatures(
            CollectionSize.ANY,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
        .createTestSuite();
  }

  /** Values equal themselves wherever they were made, and no two are the same object. */
  private record Value(String name) {}

  private static final class Generator implements TestMapGenerator<Long, Value> {
    private final Shape shape;

    Generator(Shape shape) {
      this.shape = shape;
    }

    @Override
    public Map<Long, Value> create(Object... entries) {
      ConcurrentLongMap<Value> map = shape.map();
      for (Object object : entries) {
        @SuppressWarnings("unchecked") // those that order() and samples() return, or their like
        Map.Entry<Long, Value> entry = (Map.Entry<Long, Value>) object;
        map.put(entry.getKey(), new Value(entry.getValue().name()));
      }
      return map.asConcurrentMap();
    }

    @Override
    public SampleElements<Map.Entry<Long, Value>> samples() {
      return new SampleElements<>(
          entry(0L, "zero"),
          entry(-1L, "minus one"),
          entry(Long.MIN_VALUE, "least"),
          entry(Long.MAX_VALUE, "greatest"),
          entry(0x7f00_1234_5670L, "an address"));
    }

    private static Map.Entry<Long, Value> entry(long key, String name) {
      return Map.entry(key, new Value(name));
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    public Map.Entry<Long, Value>[] createArray(int length) {
      return new Map.Entry[length];
    }

    @Override
    public Iterable<Map.Entry<Long, Value>> order(List<Map.Entry<Long, Value>> insertionOrder) {
      return new ArrayList<>(insertionOrder); // in no order: not asked for
    }

    @Override
    public Long[] createKeyArray(int length) {
      return new Long[length];
    }

    @Override
    public Value[] createValueArray(int length) {
      return new Value[length];
    }
  }
}
