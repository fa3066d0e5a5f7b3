package dev.offcut.longmap;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import junit.framework.Test;
import junit.framework.TestSuite;

/** The view as a ConcurrentMap, by guava's tests, in each shape. */
public final class ConcurrentMapTckTest {
  private ConcurrentMapTckTest() {}

  public static Test suite() {
    TestSuite all = new TestSuite(ConcurrentMapTckTest.class.getName());
    for (Shape shape : EnumSet.of(Shape.DEFAULT, Shape.PRESIZED, Shape.ONE_BUCKET)) {
      all.addTest(suite(shape));
    }
    return all;
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
