package dev.offcut.retrofit.stream;

import static dev.offcut.retrofit.stream.LoaderCase.read;
import static dev.offcut.retrofit.stream.StreamCases.loader;
import static dev.offcut.retrofit.stream.StreamCases.open;

import dev.offcut.retrofit.stream.Fixtures.Calls;
import dev.offcut.retrofit.stream.Fixtures.Defaults;
import dev.offcut.retrofit.stream.Fixtures.Fourth;
import dev.offcut.retrofit.stream.Fixtures.Other;
import dev.offcut.retrofit.stream.Fixtures.Plain;
import dev.offcut.retrofit.stream.Fixtures.Third;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** Collections that are read, and who calls whom while they are. */
@SuppressWarnings("JdkObsolete") // programs read it
enum CollectionCase {
  hashMapKey(() -> keys(new HashMap<>())),
  hashtableKey(() -> keys(new Hashtable<>())),
  concurrentHashMapKey(() -> keys(new ConcurrentHashMap<>())),
  hashSetElement(
      () ->
          readWithKey(
              new HashSet<>(
                  List.of(new Fixtures.Key(1), new Fixtures.Key(5), new Plain(), new Other())))),
  priorityQueueElement(
      () ->
          readWithKey(
              new PriorityQueue<>(List.of(new Fixtures.Key(1), new Fixtures.Key(2))), new Plain())),
  /** A class that only the reader's loader knows, asked for by a key of another one. */
  hashMapKeyOfAnotherLoader(
      () -> {
        HashMap<Object, Object> map = new HashMap<>();
        map.put(new Fixtures.Key(1), "one");
        map.put(new Plain(), "two");
        CaseLoader l2 = loader("L2", Fixtures.Key.class).without(Plain.class);
        CaseLoader l1 = loader("L1").with(l2, Fixtures.Key.class);
        read(l1, open(map, new Other()));
      }),
  collections(
      () -> {
        for (Collection<Object> list :
            List.<Collection<Object>>of(
                new ArrayList<>(),
                new LinkedList<>(),
                new ArrayDeque<>(),
                new Vector<>(),
                new CopyOnWriteArrayList<>(),
                new LinkedBlockingQueue<>())) {
          list.add(new Plain());
          list.add(new ArrayList<>(List.of(new Calls(new Other()), new Third())));
          list.add(new Fourth());
          CaseLoader l2 = loader("L2", Calls.class);
          read(loader("L1").with(l2, Calls.class), open(list, list));
        }
        CaseLoader l1 = loader("L1", Fixtures.OwnList.class);
        Fixtures.OwnList own = new Fixtures.OwnList();
        own.add(new Plain());
        own.add(new Other());
        read(l1, open(new ArrayList<>(List.of(own, new Third()))));
        TreeMap<Object, Object> sorted = new TreeMap<>(Map.of("a", new Plain(), "b", new Other()));
        read(l1, open(sorted));
      }),
  /** Immutable lists and maps with parts of another loader: what one JVM's cache got wrong. */
  immutableCollections(
      () -> {
        CaseLoader l2 = loader("L2", Calls.class, Defaults.class);
        CaseLoader l1 = loader("L1").with(l2, Calls.class, Defaults.class);
        read(l1, open(List.of(new Calls(new Plain()), new Other()), new Third()));
        read(l1, open(List.of(new Defaults(List.of(new Plain())), new Other())));
        read(l1, open(Map.of("key", new Calls(List.of(new Plain(), Map.of("k", new Third()))))));
      });

  @SuppressWarnings("ImmutableEnumChecker") // no case has a state
  final StreamCases.Case what;

  CollectionCase(StreamCases.Case what) {
    this.what = what;
  }

  private static void keys(Map<Object, Object> map) throws Exception {
    map.put(new Fixtures.Key(1), "");
    map.put(new Plain(), "");
    map.put(new Fixtures.Key(3), "");
    map.put(new Other(), "");
    map.put(new Fixtures.Key(5), new Third());
    readWithKey(map);
  }

  private static void readWithKey(Object graph, Object... more) throws Exception {
    CaseLoader l2 = loader("L2", Fixtures.Key.class);
    CaseLoader l1 = loader("L1").with(l2, Fixtures.Key.class);
    read(l1, open(new Object[] {graph, more}, new Fourth(), new Third()));
  }
}
