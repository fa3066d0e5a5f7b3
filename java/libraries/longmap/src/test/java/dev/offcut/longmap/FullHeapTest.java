package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The map where nothing can be allocated: it stays whole, and what needs no room works. */
class FullHeapTest {
  @Test
  void operations_inAFullHeap_leaveTheMapWhole() throws Exception {
    assertThat(ChildJvm.with("-Xmx12m", "-XX:+UseSerialGC").program(Program.class).run().out())
        .contains("whole");
  }

  /** Fills its heap, and goes on. */
  static final class Program {
    private static final int KEYS = 10_000;
    private static final int SOME = 3_000;

    /** Each costs some collections. */
    private static final int MOST_REFUSED = 50;

    private final ConcurrentLongMap<Long> map = new ConcurrentLongMap<>();
    private final Long[] values = new Long[KEYS];
    private final Set<Long> present = new HashSet<>(4 * KEYS);
    private Object ballast = "none";
    private int refused;
    private String step = "start";

    public static void main(String[] args) {
      Program program = new Program();
      try {
        program.run();
        System.out.println("whole");
      } catch (OutOfMemoryError e) {
        program.ballast = "none"; // to say so takes room
        throw new AssertionError("no memory to " + program.step, e);
      }
    }

    private Program() {
      for (int i = 0; i < KEYS; i++) {
        values[i] = key(i);
        present.add(values[i]); // its nodes are made while there is room
      }
      present.clear();
    }

    private static long key(int i) {
      return i % 5 == 0 ? Keys.colliding(i) : 48L * i;
    }

    private void run() {
      put(0, SOME);
      check();
      int next = SOME;
      while (!Inside.isResizing(map)) {
        put(next, ++next);
      }
      step = "put"; // before the heap is full: the first use of a string makes it
      fillHeap(16); // no room for the large overflow of the keys that collide, when it is to move
      put(next, KEYS);
      if (refused < MOST_REFUSED) {
        throw new AssertionError("the heap was not full");
      }
      refused = 0;
      ballast = "none";
      step = "go on";
      check();
      put(0, KEYS);
      check();
      if (present.size() != KEYS) {
        throw new AssertionError("put " + present.size());
      }
      step = "remove";
      fillHeap(16);
      remove(0, KEYS - 100); // shrinking wants room too
      ballast = "none";
      step = "go on";
      check();
      remove(KEYS - 100, KEYS);
      check();
    }

    /** Leaves no room for an object larger than this. */
    private void fillHeap(int least) {
      for (int size = 1 << 20; size >= least; size /= 2) {
        try {
          while (true) {
            ballast = new Object[] {ballast, new byte[size]};
          }
        } catch (OutOfMemoryError e) {
          // smaller ones, then
        }
      }
    }

    private void put(int from, int to) {
      for (int i = from; i < to && refused < MOST_REFUSED; i++) {
        try {
          map.put(values[i], values[i]);
        } catch (OutOfMemoryError e) {
          refused++;
        }
      }
    }

    private void remove(int from, int to) {
      for (int i = from; i < to; i++) {
        if (!values[i].equals(map.remove(values[i]))) {
          throw new AssertionError("lost " + i);
        }
      }
    }

    private void check() {
      present.clear();
      map.forEach(
          (key, value) -> {
            if (key != value || !present.add(key) || !value.equals(map.get(key))) {
              throw new AssertionError(key + "=" + value);
            }
          });
      for (Long value : values) {
        if (present.contains(value) != map.containsKey(value)) {
          throw new AssertionError("seen or not? " + value);
        }
      }
      if (map.size() != present.size() || Inside.verify(map) != present.size()) {
        throw new AssertionError(map.size() + ", not " + present.size());
      }
    }
  }
}
