package dev.offcut.retrofit.stream;

import dev.offcut.retrofit.stream.GraphNodes.Colour;
import dev.offcut.retrofit.stream.GraphNodes.Leaf;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes random graphs. The same seed gives the same bytes in every JVM: nothing here is ordered by
 * the salt of Set.of and Map.of; identity hashes are all the same there.
 */
@SuppressWarnings("JdkObsolete") // programs read them
final class GraphMaker {
  private static final int DEPTH = 4;

  private final Random random;
  private int depth;
  private int left = 40;

  private final List<Supplier<Object>> leaves =
      List.of(
          Leaf::new,
          GraphNodes.Leaf1::new,
          GraphNodes.Leaf2::new,
          GraphNodes.Leaf3::new,
          GraphNodes.Leaf4::new,
          GraphNodes.Leaf5::new,
          GraphNodes.Leaf6::new,
          GraphNodes.Initializes::new,
          () -> Colour.RED,
          () -> Colour.GREEN,
          () -> 7,
          () -> "text",
          () -> BigInteger.TEN,
          () -> Locale.ROOT,
          () -> new int[][] {{1}},
          () -> new Leaf[] {new GraphNodes.Leaf2()},
          () -> new GraphNodes.Leaf3[][] {{new GraphNodes.Leaf3()}, {}},
          () -> new Class<?>[] {int.class, Leaf.class, long[].class, GraphNodes.Leaf1[].class},
          () -> List.of());

  private final List<Supplier<Object>> nodes =
      List.of(
          () -> with(new Leaf()),
          () -> with(new GraphNodes.Leaf5()),
          () -> with(new GraphNodes.Calls()),
          () -> with(new GraphNodes.Calls()),
          () -> with(new GraphNodes.Derived()),
          () -> with(new GraphNodes.Defaults()),
          () -> with(new GraphNodes.Fields()),
          () -> with(new GraphNodes.Resolves()),
          () -> with(new GraphNodes.Validates()),
          () -> with(new GraphNodes.Lends()),
          () -> with(new GraphNodes.Lends()),
          () -> with(new GraphNodes.Lends()),
          () -> with(new GraphNodes.Fails()),
          this::external,
          this::nests,
          () -> new GraphNodes.Pair(make(), make()),
          () -> fill(new GraphNodes.OwnList()),
          this::proxy,
          () -> new Object[] {make(), make(), make()},
          () -> new SimpleEntry<>(make(), make()),
          () -> fill(new ArrayList<>()),
          () -> fill(new ArrayList<>()),
          () -> fill(new ArrayDeque<>()),
          () -> fill(new LinkedList<>()),
          () -> fill(new Vector<>()),
          () -> fill(new ConcurrentLinkedQueue<>()),
          () -> fill(new CopyOnWriteArrayList<>()),
          () -> fill(new LinkedBlockingQueue<>()),
          () -> List.of(make(), make()),
          () -> List.of(make(), make(), make()),
          () -> Map.of("key", make()),
          () -> Collections.unmodifiableList(Arrays.asList(make(), make())),
          () -> keys(new HashSet<>()),
          () -> keys(new LinkedHashSet<>()),
          () -> keys(new PriorityQueue<>(), GraphNodes.Key.class),
          () -> keys(new TreeSet<>(), GraphNodes.Key.class),
          () -> keys(new TreeSet<>(new GraphNodes.Order()), Integer.class),
          () -> keys(new HashMap<>()),
          () -> keys(new HashMap<>()),
          () -> keys(new LinkedHashMap<>()),
          () -> keys(new Hashtable<>()),
          () -> keys(new ConcurrentHashMap<>()),
          () -> keys(new TreeMap<>(), GraphNodes.Key.class),
          () -> keys(new ConcurrentSkipListMap<>(), GraphNodes.Key.class),
          this::identity,
          () -> new EnumMap<>(Map.of(Colour.GREEN, make())));

  GraphMaker(Random random) {
    this.random = random;
  }

  /** A stream of some graphs. */
  byte[] bytes() throws IOException {
    Object[] graphs = new Object[2 + random.nextInt(4)];
    for (int i = 0; i < graphs.length; i++) {
      graphs[i] = make();
    }
    return StreamCases.write(graphs);
  }

  /** A graph. */
  Object make() {
    if (depth == DEPTH || left-- <= 0 || random.nextInt(4) == 0) {
      return one(leaves);
    }
    depth++;
    Object made = one(nodes);
    depth--;
    return made;
  }

  private Object one(List<Supplier<Object>> of) {
    return of.get(random.nextInt(of.size())).get();
  }

  private Leaf with(Leaf node) {
    node.part = random.nextBoolean() ? make() : null;
    Object[] parts = new Object[random.nextInt(4)];
    Arrays.setAll(parts, i -> make());
    node.parts = parts;
    return node;
  }

  private Object external() {
    GraphNodes.External external = new GraphNodes.External();
    external.part = make();
    return external;
  }

  private Object nests() {
    GraphNodes.Nests nests = new GraphNodes.Nests();
    try {
      nests.bytes = StreamCases.write(make(), make());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return nests;
  }

  private Object identity() {
    IdentityHashMap<Object, Object> map = new IdentityHashMap<>();
    map.put(new Leaf(), make());
    return map;
  }

  private Object proxy() {
    ClassLoader app = GraphMaker.class.getClassLoader();
    GraphNodes.Handler handler = new GraphNodes.Handler();
    handler.part = make();
    Class<?> type = random.nextBoolean() ? GraphNodes.Marker.class : GraphNodes.Hidden.class;
    return StreamCases.proxy(app, handler, type, Serializable.class);
  }

  private <C extends Collection<Object>> C fill(C list) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      list.add(make());
    }
    return list;
  }

  private Object keys(Collection<Object> set) {
    return keys(set, null);
  }

  private Object keys(Collection<Object> set, @Nullable Class<?> type) {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      set.add(key(i, type));
    }
    return set;
  }

  private Object keys(Map<Object, Object> map) {
    return keys(map, null);
  }

  private Object keys(Map<Object, Object> map, @Nullable Class<?> type) {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      map.put(key(i, type), make());
    }
    return map;
  }

  /** What has no hash by identity. */
  private Object key(int number, @Nullable Class<?> type) {
    if (type == GraphNodes.Key.class || (type == null && random.nextInt(3) != 0)) {
      GraphNodes.Key key = new GraphNodes.Key(number);
      key.part = random.nextInt(3) == 0 ? make() : null;
      return key;
    }
    if (type == Integer.class) {
      return number;
    }
    return random.nextBoolean() ? new GraphNodes.Leaf4() : proxy();
  }
}
