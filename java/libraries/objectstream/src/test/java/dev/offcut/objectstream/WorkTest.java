package dev.offcut.objectstream;

import static dev.offcut.objectstream.Forged.entries;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.offcut.objectstream.Forged.ArraySetForm;
import dev.offcut.objectstream.Forged.ConcurrentForm;
import dev.offcut.objectstream.Forged.ImmutableForm;
import dev.offcut.objectstream.Forged.MapForm;
import dev.offcut.objectstream.Forged.QueueForm;
import dev.offcut.objectstream.Forged.SetForm;
import dev.offcut.objectstream.Forged.SkipListForm;
import dev.offcut.objectstream.Forged.TableForm;
import dev.offcut.objectstream.Model.Copying;
import dev.offcut.objectstream.Model.Counted;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.objectstream.Model.Pair;
import dev.offcut.objectstream.Model.Point;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that are short, and long to hash or to compare: refused before that is done. */
@Timeout(300)
class WorkTest {
  @SuppressWarnings("JdkObsolete") // what is tested
  private static StreamPolicy.Builder collections() {
    return StreamPolicy.allow(
            Pair.class,
            Point.class,
            Copying.class,
            Counted.class,
            Order.class,
            Model.Status.class,
            Hashtable.class,
            PriorityQueue.class)
        .allowCollections()
        .allowConcurrentCollections();
  }

  private static Object[] times(int count, Object element) {
    return each(count, i -> element);
  }

  private static Object[] each(int count, IntFunction<Object> element) {
    return IntStream.range(0, count).mapToObj(element).toArray();
  }

  private static Object[] inTurn(int count, Object first, Object second) {
    return each(count, i -> i % 2 == 0 ? first : second);
  }

  private static Object large() {
    return new ArrayList<>(Collections.nCopies(40_000, "x"));
  }

  /** The hash of each is 0. */
  private static Object[] collidingEntries(int count) {
    return each(count, i -> new AbstractMap.SimpleEntry<>(i, i));
  }

  /** Strings that are equal, and not the same. */
  private static Object text() {
    return "x".repeat(1_000_000);
  }

  /** As long to compare with another one as can be: every look-up meets all elements. */
  private static Object collidingSets(int levels) {
    return levels == 0
        ? "x"
        : new SetForm(
            each(
                12, i -> new Pair(collidingSets(levels - 1), new AbstractMap.SimpleEntry<>(i, i))));
  }

  @SuppressWarnings("JavaUtilDate") // what is tested
  static Stream<Named<Object>> hostile() {
    Object large = large();
    Object one = new BigDecimal(BigInteger.ONE, -500_000);
    Object same = new BigDecimal(BigInteger.TEN.pow(500_000));
    return Stream.of(
        Named.of("set of one list", new SetForm(times(50_000, large))),
        Named.of("sets of one list", each(15_000, i -> new SetForm(large))),
        Named.of("set of one hash", new SetForm(collidingEntries(30_000))),
        Named.of(
            "set of records of one hash", new SetForm(each(30_000, i -> new Point(i, -31 * i)))),
        Named.of(
            "set of one hash and two orders",
            new SetForm(
                each(
                    30_000,
                    i -> {
                      long hashedToZero = ((long) i << Integer.SIZE) | i;
                      return i % 2 == 0 ? (Object) hashedToZero : new Date(hashedToZero);
                    }))),
        Named.of(
            "set of one number", new SetForm(times(50_000, BigInteger.ONE.shiftLeft(7_000_000)))),
        Named.of("order of decimals", new SkipListForm(entries(inTurn(2_000, one, same)))),
        Named.of("order of texts", new SkipListForm(entries(inTurn(20_000, text(), text())))),
        Named.of("queue of texts", new QueueForm(inTurn(50_000, text(), text()))),
        Named.of(
            "two lists of equal texts",
            new SetForm(
                inTurn(
                    10_000,
                    Arrays.asList(times(20_000, text())),
                    Arrays.asList(times(20_000, text()))))),
        Named.of(
            "two sets in opposite order",
            new SetForm(
                inTurn(
                    10_000,
                    new CopyOnWriteArraySet<>(Arrays.asList(collidingEntries(5_000))),
                    new CopyOnWriteArraySet<>(reversed(collidingEntries(5_000)))))),
        Named.of("set in an array", new ArraySetForm(each(40_000, i -> i))),
        Named.of("sets in one array", arraySets(each(2_000, i -> i), 2_000)),
        Named.of(
            "two sets of sets of one hash",
            new SetForm(inTurn(1_000, collidingSets(3), collidingSets(3)))));
  }

  /** Many that share what they hold. */
  private static Object arraySets(Object[] elements, int count) {
    CopyOnWriteArrayList<Object> all = new CopyOnWriteArrayList<>(elements);
    return each(count, i -> new ArraySetForm(all));
  }

  private static List<Object> reversed(Object[] elements) {
    List<Object> reversed = new ArrayList<>(Arrays.asList(elements));
    Collections.reverse(reversed);
    return reversed;
  }

  /** Texts that a comparator has to look at character by character. */
  @Test
  void readObject_ofTextsInAComparatorsOrder_isRefusedByWork() {
    for (Comparator<?> order :
        List.of(
            String.CASE_INSENSITIVE_ORDER,
            Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER))) {
      Object[] inTurn = inTurn(2_000, "α".repeat(20_000), "Α".repeat(20_000));
      byte[] bytes = Forged.of(new SkipListForm(order, entries(inTurn)));
      Streams.assertOver(collections().build(), bytes)
          .hasMessageContaining("steps of hashing and comparing");
    }
  }

  @Test
  void readObject_ofTextsInTheirOwnOrder_isReadWithoutMuchWork() throws Exception {
    Object[] keys = each(2_000, i -> String.format("%04d", i) + "x".repeat(200));
    for (Comparator<?> order : Arrays.asList(null, Collections.reverseOrder())) {
      Object[] sorted = order == null ? keys : reversed(keys).toArray();
      byte[] bytes = Forged.of(new SkipListForm(order, entries(sorted)));
      Object read = Streams.read(collections().maxWork(2_000 * 2 * 4).build(), bytes);
      assertThat((Map<?, ?>) read).hasSize(2_000);
    }
  }

  /**
   * Two sets whose texts differ in their last letters alone, and have one hash: the comparator
   * looks at all before these.
   */
  @Test
  void readObject_ofKeysThatComparatorsCompare_isRefusedByWork() {
    Object[] sets = new Object[2];
    for (int i = 0; i < 2; i++) {
      TreeSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
      set.add("x".repeat(300_000) + (i == 0 ? "Aa" : "BB"));
      sets[i] = set;
    }
    assertThat(sets[0]).hasSameHashCodeAs(sets[1]);
    byte[] bytes = Forged.of(new SetForm(sets));
    Streams.assertOver(collections().maxWork(50_000).build(), bytes)
        .hasMessageContaining("steps of hashing and comparing");
  }

  /** Each of 100 elements is compared with all before it. */
  @Test
  void maxWork_ofAnArraySet_countsItsPairs() throws Exception {
    byte[] bytes = Forged.of(new ArraySetForm(each(100, i -> i)));
    assertThat((Set<?>) Streams.read(collections().maxWork(4_950).build(), bytes)).hasSize(100);
    assertThatThrownBy(() -> Streams.read(collections().maxWork(4_949).build(), bytes))
        .hasMessageContaining("4950 is over maxWork 4949");
  }

  /**
   * Few bytes, and a list that is some 100,000 elements when what it shares is counted each time.
   */
  @Test
  void maxWork_ofAShortStream_isAPart() throws Exception {
    Object list = new ArrayList<>(Collections.nCopies(20, "x"));
    for (int i = 0; i < 2; i++) {
      list = new ArrayList<>(Collections.nCopies(20, list));
    }
    byte[] bytes = Forged.of(new SetForm(times(100, list)));
    Streams.assertOver(collections().build(), bytes)
        .hasMessageContaining(" bytes, a stream may have used 524288 of maxWork 10000000; ")
        .hasMessageContaining("set maxWork(…) higher");
    StreamPolicy more = collections().maxWork(1_000_000_000).build();
    assertThat((Set<?>) Streams.read(more, bytes)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void readObject_ofMuchWork_isRefusedByWork(Object hostile) {
    byte[] bytes = Forged.of(hostile);
    StreamLimitException e =
        catchThrowableOfType(
            StreamLimitException.class, () -> Streams.read(collections().build(), bytes));
    assertThat(e.limit()).isEqualTo(Limit.WORK);
    assertThat(e)
        .hasMessageContaining("steps of hashing and comparing")
        .hasMessageContaining(" maxWork 10000000; ")
        .hasMessageContaining("set maxWork(…) higher");
  }

  static Stream<Named<Object>> ofOneHash() {
    Object[] keys = each(2_000, i -> new Counted(7));
    return Stream.of(
        Named.of("HashSet", new SetForm(keys)),
        Named.of("HashMap", new MapForm(entries(keys))),
        Named.of("Hashtable", new TableForm(entries(keys))),
        Named.of("ConcurrentHashMap", new ConcurrentForm(entries(keys))),
        Named.of("Set.of", new ImmutableForm(ImmutableForm.SET, keys)),
        Named.of("Map.of", new ImmutableForm(ImmutableForm.MAP, entries(keys))));
  }

  @ParameterizedTest
  @MethodSource("ofOneHash")
  void maxWork_exceededByKeysOfOneHash_isNoticedBeforeTheWork(Object collection) {
    byte[] bytes = Forged.of(collection);
    Counted.comparisons = 0;
    Streams.assertOver(collections().maxWork(20_000).build(), bytes)
        .hasMessageContaining("maxWork 20000");
    assertThat(Counted.comparisons).isLessThanOrEqualTo(2 * 20_000);
  }

  @Test
  void maxWork_ofReferences_isExact() throws Exception {
    byte[] bytes = Forged.of(new SetForm(times(10, Arrays.asList("a", "b", "c"))));
    assertThat(Streams.read(collections().maxWork(90).build(), bytes))
        .isEqualTo(Set.of(List.of("a", "b", "c")));
    assertThatThrownBy(() -> Streams.read(collections().maxWork(89).build(), bytes))
        .hasMessageContaining("90 is over maxWork 89");
  }

  /**
   * {@code Set.of} makes a table of two places an element, {@code Map.of} of two a key. A key costs
   * the steps of its hash. It is compared with the keys between its place and the next free one:
   * four comparisons of numbers are a step, one of lists of one element is two steps.
   */
  static Stream<Arguments> ofImmutable() {
    int n = 100;
    int places = 2 * n;
    int quarters = 4 * (n / 4) * (n / 4 - 1) / 2; // of 0 to n - 1 comparisons, in whole steps
    int pairs = n * (n - 1) / 2;
    // In a table of half the size the second half would begin in the places of the first.
    Object[] apart = each(n, i -> i % (n / 2) + i / (n / 2) * n);
    Object[] together = each(n, i -> i * places);
    Object[] lists = each(n, i -> Arrays.asList(i));
    Object[] listsTogether = each(n, i -> Arrays.asList(i * places));
    // The second half begins in the places of the first: each is compared with n / 2 keys.
    Object[] halves = each(n, i -> i % (n / 2) + i / (n / 2) * places);
    return Stream.of(
        Arguments.of("numbers apart", apart, n),
        Arguments.of("numbers of one place", together, n + quarters),
        Arguments.of("numbers, each second one taken", halves, n + n / 2 * (n / 2 / 4)),
        Arguments.of("lists apart", lists, 7 * n),
        Arguments.of("lists of one place", listsTogether, 7 * n + 2 * pairs));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ofImmutable")
  void maxWork_ofSetOfAndMapOf_isExact(String about, Object[] keys, int steps) throws Exception {
    for (ImmutableForm form :
        List.of(
            new ImmutableForm(ImmutableForm.SET, keys),
            new ImmutableForm(ImmutableForm.MAP, entries(keys)))) {
      byte[] bytes = Forged.of(form);
      Object read = Streams.read(collections().maxWork(steps).build(), bytes);
      Set<?> found = form.tag == ImmutableForm.SET ? (Set<?>) read : ((Map<?, ?>) read).keySet();
      assertThat(found).isEqualTo(Set.of(keys));
      assertThatThrownBy(() -> Streams.read(collections().maxWork(steps - 1).build(), bytes))
          .hasMessageContaining(steps + " is over maxWork " + (steps - 1));
    }
  }

  /** What is neither hashed nor compared while it is read costs no step. */
  @Test
  void maxWork_ofWhatIsNoKey_isNotTouched() throws Exception {
    StreamPolicy none = collections().maxWork(0).build();
    Object large = List.of(1, 2, 3);
    Order order = new Order();
    order.anything = Arrays.asList(times(100, large));
    assertThat(Streams.pass(none, order)).isInstanceOf(Order.class);
    for (Object honest :
        List.of(
            new ArrayList<>(List.of(large, large)),
            List.of(large, large, large),
            Arrays.asList(1, 1, 1, 1, null),
            new TreeMap<>(Map.of("a", large, "b", large)),
            Collections.singletonMap(large, large))) {
      assertThat(Streams.pass(none, honest)).isEqualTo(honest);
    }
  }

  /** Only keys count: values may be equal, and large. */
  @Test
  @SuppressWarnings("JdkObsolete") // what is tested
  void maxWork_ofKeys_leavesOutValues() throws Exception {
    StreamPolicy policy = collections().maxWork(4_000).build();
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      map.put("key" + i, i % 3 == 0 ? null : new ArrayList<>(List.of(1, 2)));
    }
    map.put("class", String.class);
    map.put(String.class, "class");
    map.put("large", large());
    map.put("largeAgain", map.get("large"));
    assertThat(Streams.pass(policy, map)).isEqualTo(map);
    map.values().removeIf(java.util.Objects::isNull);
    ConcurrentHashMap<Object, Object> concurrent = new ConcurrentHashMap<>(map);
    assertThat(Streams.pass(policy, concurrent)).isEqualTo(concurrent);
    assertThat(Streams.pass(policy, Map.copyOf(map))).isEqualTo(map);
    assertThat(Streams.pass(policy, new Hashtable<>(map))).isEqualTo(map);
  }

  @Test
  void maxWork_byDefault_letsLargeHonestCollectionsPass() throws Exception {
    StreamPolicy policy =
        collections().maxReferences(1_000_000).maxBytes(16 << 20).maxExpansion(1_000_000).build();
    Set<Object> points = new HashSet<>();
    Set<Object> grid = new HashSet<>();
    Set<Object> sets = new HashSet<>();
    Map<Object, Object> keys = new HashMap<>();
    for (int i = 0; i < 30_000; i++) {
      points.add(new Point(i % 173, i / 173));
      grid.add(List.of(i % 173, i / 173));
      sets.add(Set.of(i, i + 1, 2 * i + 7));
      keys.put("key " + i, new Pair(i, "value"));
    }
    for (Object honest :
        List.of(points, grid, sets, keys, Set.copyOf(keys.keySet()), Map.copyOf(keys), nested(5))) {
      assertThat(Streams.pass(policy, honest)).isEqualTo(honest);
    }
  }

  private static Object nested(int levels) {
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < 8; i++) {
      map.put("key" + i, levels == 1 ? i : nested(levels - 1));
    }
    return map;
  }

  /** A set as its own element, at second hand: its hash has no end, and it is not there yet. */
  @Test
  void readObject_ofKeyThatIsBeingRead_isRefused() {
    List<Object> list = new ArrayList<>();
    list.add(new SetForm(times(10, list)));
    byte[] bytes = Forged.of(list);
    Streams.assertOver(collections().build(), bytes)
        .hasMessageContaining("a java.util.ArrayList that contains itself");
  }

  /** Each is walked through, although the stream has one. */
  @Test
  void readObject_ofManyWrappersOfOneCollection_isRefusedByWork() {
    List<Object> list = new ArrayList<>(Collections.nCopies(40_000, "x"));
    Object[] array = list.toArray();
    ConcurrentSkipListMap<Object, Object> map = new ConcurrentSkipListMap<>();
    for (int i = 0; i < 4_000; i++) {
      map.put(i, i);
    }
    for (IntFunction<Object> wrapper :
        List.<IntFunction<Object>>of(
            i -> Collections.unmodifiableList(list),
            i -> Collections.synchronizedCollection(list),
            i -> Arrays.asList(array),
            i -> Collections.unmodifiableMap(map))) {
      byte[] bytes = Streams.of((Object) each(10_000, wrapper));
      Streams.assertOver(collections().maxWork(1_000_000).build(), bytes)
          .hasMessageContaining("maxWork 1000000");
    }
  }

  /** Wrappers and comparators, each of which asks the next. */
  @Test
  void maxDepth_ofWrappersByReference_saysSo() throws Exception {
    List<Object> wrappers = new ArrayList<>(List.of(new ArrayList<>(List.of("x"))));
    for (int i = 0; i < 100; i++) {
      wrappers.add(Collections.synchronizedCollection((Collection<?>) wrappers.get(i)));
    }
    assertThat(Streams.pass(collections().build(), wrappers.subList(0, 60).toArray())).isNotNull();
    Streams.assertOver(collections().build(), wrappers.toArray())
        .hasMessageContaining("65 is over maxDepth 64");
  }
}
