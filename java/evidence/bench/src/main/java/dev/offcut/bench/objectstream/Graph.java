package dev.offcut.bench.objectstream;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The graphs that are read: so many leaves of so many classes in an array, in so many lists one in
 * the other; or a list of integers.
 *
 * @param leaves how many objects
 * @param classes of how many classes; 0 where they are integers
 * @param nested in how many lists
 */
record Graph(int leaves, int classes, int nested) {
  /** The graph of a case. */
  static Graph named(String name) {
    return switch (name) {
      case "flat_100" -> new Graph(100, Leaf.CLASSES, 0);
      case "nest5_100" -> new Graph(100, Leaf.CLASSES, 5);
      case "nest20_100" -> new Graph(100, Leaf.CLASSES, 20);
      case "list_1000_integers" -> new Graph(1000, 0, 1);
      default -> throw new IllegalArgumentException("unknown graph " + name);
    };
  }

  Object create() throws ReflectiveOperationException {
    Object graph = classes == 0 ? integers() : array();
    for (int i = classes == 0 ? 1 : 0; i < nested; i++) {
      graph = new ArrayList<>(List.of(graph));
    }
    return graph;
  }

  /** Throws if it is not this graph. */
  void check(Object graph) {
    Object inner = graph;
    for (int i = classes == 0 ? 1 : 0; i < nested; i++) {
      inner = ((List<?>) inner).get(0);
    }
    if (!ids(inner).equals(IntStream.range(0, leaves).boxed().toList())) {
      throw new AssertionError("another graph than the " + this + " that was written");
    }
  }

  private List<Integer> integers() {
    return new ArrayList<>(IntStream.range(0, leaves).boxed().toList());
  }

  private Object[] array() throws ReflectiveOperationException {
    Object[] all = new Object[leaves];
    for (int i = 0; i < leaves; i++) {
      all[i] = Leaf.create(i % classes, i);
    }
    return all;
  }

  private List<Integer> ids(Object inner) {
    if (classes == 0) {
      return ((List<?>) inner).stream().map(each -> (Integer) each).toList();
    }
    List<Integer> ids = new ArrayList<>();
    for (Object each : (Object[]) inner) {
      ids.add(((Leaf) each).id());
    }
    return ids;
  }
}
