package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation on one key is linearizable: what threads see is what one thread could see, in
 * some order. Lincheck runs many interleavings of each scenario (model checking, which assumes that
 * memory is sequentially consistent), or many real ones (stress). Some scenarios stand here, others
 * Lincheck makes up: always the same, so the short form has few.
 *
 * <p>Each scenario here is one that a certain fault fails in: its comment says which.
 */
class LincheckTest {
  private static final boolean LONG = Boolean.getBoolean("stress.long");

  static Stream<Class<?>> maps() {
    return Stream.of(Growing.class, Shrinking.class, Overflowing.class);
  }

  @ParameterizedTest
  @MethodSource("maps")
  void operations_inChosenInterleavings_areLinearizable(Class<?> map) {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            .iterations(LONG ? 200 : 2)
            .invocationsPerIteration(LONG ? 5_000 : 150);
    check(options, map);
  }

  @ParameterizedTest
  @MethodSource("maps")
  void operations_inManyRuns_areLinearizable(Class<?> map) {
    StressOptions options =
        new StressOptions().iterations(LONG ? 200 : 2).invocationsPerIteration(LONG ? 20_000 : 25);
    check(options, map);
  }

  private static void check(Options<?, ?> options, Class<?> map) {
    options.threads(2).actorsPerThread(3).actorsBefore(3).actorsAfter(2);
    scenarios().forEach(options::addCustomScenario);
    assertThatCode(() -> options.check(map)).doesNotThrowAnyException();
  }

  private static List<ExecutionScenario> scenarios() {
    return List.of(
        // A header comes back: a removal or a replacement leaves the version as it was.
        scenario(
            List.of(call("putIfAbsent", 1, 2)),
            List.of(call("merge", 1, 3)),
            List.of(call("remove", 1)),
            List.of(call("get", 1))),
        // A reader does not look at the header again, while its entry moves to another table.
        scenario(
            List.of(call("compute", 2, 1), call("compute", 1, 2)),
            List.of(call("remove", 3)),
            List.of(call("containsKey", 1)),
            List.of()),
        // A writer puts into a table that its bucket has left.
        scenario(
            List.of(call("put", 0, 2)),
            List.of(call("put", 1, 1)),
            List.of(call("compute", 3, 1), call("compute", 0, 2)),
            List.of(call("containsKey", 1))),
        // A bucket is moved without its lock; a map that shrinks, too.
        scenario(
            List.of(call("put", 1, 1)),
            List.of(call("putIfAbsent", 1, 3)),
            List.of(call("remove", 1), call("put", 2, 2)),
            List.of(call("get", 1), call("get", 2))));
  }

  private static ExecutionScenario scenario(
      List<Actor> before, List<Actor> one, List<Actor> other, List<Actor> after) {
    return new ExecutionScenario(before, List.of(one, other), after, null);
  }

  private static Actor call(String operation, Object... arguments) {
    for (Method method : Operations.class.getDeclaredMethods()) {
      if (method.getName().equals(operation) && method.isAnnotationPresent(Operation.class)) {
        return new Actor(method, List.of(arguments));
      }
    }
    throw new IllegalArgumentException(operation);
  }

  /** One bucket with one free slot: keys overflow, and the map grows. */
  public static class Growing extends Operations {
    public Growing() {
      super(new ConcurrentLongMap<>(0, 0, true));
      for (int i = 1; i <= 6; i++) {
        map.put(-i, -i);
      }
    }
  }

  /** Four buckets with nothing in them: a removal makes the map shrink. */
  public static class Shrinking extends Operations {
    public Shrinking() {
      super(new ConcurrentLongMap<>(2, 0, true));
    }
  }

  /** One bucket that is full: keys come into its overflow, leave it, and move up in it. */
  public static class Overflowing extends Operations {
    public Overflowing() {
      super(new ConcurrentLongMap<>(0, 0, false));
      for (int i = 1; i <= 7; i++) {
        map.put(-i, -i);
      }
    }
  }

  /** The operations; their functions depend on nothing but what they are given. */
  @Param(name = "key", gen = IntGen.class, conf = "0:3")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public abstract static class Operations {
    final ConcurrentLongMap<Integer> map;

    Operations(ConcurrentLongMap<Integer> map) {
      this.map = map;
    }

    @Operation
    public Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.put(key, value);
    }

    @Operation
    public Integer get(@Param(name = "key") int key) {
      return map.get(key);
    }

    @Operation
    public boolean containsKey(@Param(name = "key") int key) {
      return map.containsKey(key);
    }

    @Operation
    public Integer putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.putIfAbsent(key, value);
    }

    @Operation
    public Integer remove(@Param(name = "key") int key) {
      return map.remove(key);
    }

    @Operation
    public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.remove(key, (Object) value);
    }

    @Operation
    public Integer replace(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.replace(key, value);
    }

    @Operation
    public boolean replaceValue(
        @Param(name = "key") int key,
        @Param(name = "value") int value,
        @Param(name = "value") int other) {
      return map.replace(key, value, other);
    }

    @Operation
    public Integer computeIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.computeIfAbsent(key, k -> value == 3 ? null : (Integer) value);
    }

    @Operation
    public Integer compute(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.compute(key, (k, v) -> v == null ? (Integer) value : next(v, value));
    }

    @Operation
    public Integer merge(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.merge(key, value, LincheckTest::next);
    }
  }

  private static Integer next(int present, int value) {
    return present == 3 ? null : (Integer) (present + value);
  }
}
