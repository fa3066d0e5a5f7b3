package dev.offcut.objectstream;

import static dev.offcut.objectstream.Forged.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.objectstream.Forged.ConcurrentForm;
import dev.offcut.objectstream.Forged.ImmutableForm;
import dev.offcut.objectstream.Forged.MapForm;
import dev.offcut.objectstream.Forged.SetForm;
import dev.offcut.objectstream.Forged.SkipListForm;
import dev.offcut.objectstream.Model.Counted;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Generates collections of few parts that share much. Each stream has to end in an object or in a
 * documented exception, and calls {@code hashCode} and {@code equals} no more often than the steps
 * that the policy allows.
 */
class SearchTest {
  private static final int STREAMS = 400;

  /** Far fewer than by default, so that few streams stay below. */
  private static final int STEPS = 20_000;

  /** The collection hashes a key once, and this library once before it. */
  static final int CALLS_A_STEP = 2;

  static StreamPolicy.Builder collections() {
    return StreamPolicy.allow(Counted.class).allowCollections().allowConcurrentCollections();
  }

  @Test
  @Timeout(300)
  void readObject_ofGeneratedStreams_callsNoMoreThanItsSteps() throws Exception {
    long seed = Long.getLong("search.seed", 20_26);
    Random random = new Random(seed);
    StreamPolicy policy = collections().maxWork(STEPS).build();
    int refused = 0;
    int calling = 0;
    for (int i = 0; i < STREAMS; i++) {
      Generator generator = new Generator(Generator.choices(random));
      byte[] bytes = Forged.of(generator.root());
      Counted.hashes = 0;
      Counted.comparisons = 0;
      try {
        Streams.read(policy, bytes);
      } catch (StreamLimitException e) {
        refused++;
      } catch (IOException e) {
        assertThat(e).as(generator.description()).hasMessageNotContaining("do not match");
      }
      long calls = Counted.hashes + Counted.comparisons;
      calling += calls > STEPS / 10 ? 1 : 0;
      assertThat(calls)
          .as("seed %s, stream %s: %s", seed, i, generator.description())
          .isLessThanOrEqualTo(CALLS_A_STEP * STEPS);
    }
    assertThat(refused).as("refused").isGreaterThan(STREAMS / 10);
    assertThat(calling).as("streams of many calls").isGreaterThan(5);
  }

  /** Makes a graph of choices: some leaves, and collections of what was made before. */
  static final class Generator {
    /** As many as one graph may need. */
    static final int MOST_CHOICES = 40;

    /** What was made, and another of its kind: equal, or nearly so, and not the same. */
    private record Twins(Object one, Object other) {}

    private final int[] choices;
    private final List<Twins> made = new ArrayList<>();

    /** Those of the collection that was made last. */
    private Twins[] elements = {};

    private final StringBuilder description = new StringBuilder();
    private int next;

    /** Whether all collections are small, so that the stream has a few KiB. */
    private boolean isShort;

    Generator(int[] choices) {
      this.choices = choices;
    }

    static int[] choices(Random random) {
      return random.ints(MOST_CHOICES, 0, 1 << 20).toArray();
    }

    /** What the graph is made of. */
    String description() {
      if (made.isEmpty()) {
        root();
      }
      return description.toString();
    }

    /** One of so many. */
    private int choose(int count) {
      return choices[next++ % choices.length] % count;
    }

    /** Few or many, up to a figure. */
    private int size(int most) {
      return 1 + (int) (most * Math.pow(choose(1000) / 1000.0, 3));
    }

    Object root() {
      isShort = choose(4) == 0;
      int leaves = 1 + choose(2);
      for (int i = 0; i < leaves; i++) {
        made.add(leaf());
      }
      int collections = 1 + choose(5);
      for (int i = 0; i < collections; i++) {
        made.add(collection());
      }
      return made.get(made.size() - 1).one();
    }

    private Twins leaf() {
      int kind = choose(9);
      int size = size(100_000);
      description.append("leaf ").append(kind).append(" of ").append(size).append(", ");
      return switch (kind) {
        case 0 -> text("a", size);
        case 1 -> text("α", size);
        case 2 -> text("\ud801\udc28", 1 + size / 2);
        case 3 -> {
          BigInteger number = BigInteger.ONE.shiftLeft(8 * size);
          yield new Twins(number, number.add(BigInteger.ZERO).add(BigInteger.ONE));
        }
        case 4 -> {
          BigDecimal number = new BigDecimal(BigInteger.ONE, -size);
          yield new Twins(number, number.setScale(0));
        }
        case 5 -> {
          BigDecimal number = new BigDecimal(BigInteger.ONE.shiftLeft(size));
          yield new Twins(number, new BigDecimal(number.unscaledValue(), 1));
        }
        case 6 -> new Twins(new UUID(size, size), new UUID(size, size));
        case 7 -> new Twins(new Counted(size), new Counted(size));
        default -> new Twins(size, -size);
      };
    }

    private Twins text(String of, int length) {
      String text = of.repeat(length);
      boolean inOtherCase = choose(2) == 0;
      return new Twins(text, inOtherCase ? text.toUpperCase(Locale.ROOT) : of.repeat(length));
    }

    private Twins collection() {
      int kind = choose(21);
      int size = size(choose(3) == 0 || isShort ? 40 : 20_000);
      Twins shared = made.get(choose(made.size()));
      int variety = choose(8);
      description.append("collection ").append(kind).append(" of ").append(size);
      description.append(" of variety ").append(variety).append(", ");
      Object[] one = new Object[size];
      Object[] other = new Object[size];
      Twins[] held = new Twins[size];
      for (int i = 0; i < size; i++) {
        held[i] = element(shared, variety, i, size);
        one[i] = held[i].one();
        other[i] = held[i].other();
      }
      elements = held;
      return new Twins(of(kind, one), of(kind, other));
    }

    private static Object of(int kind, Object[] elements) {
      return switch (kind) {
        case 0 -> new ArrayList<>(Arrays.asList(elements));
        case 1, 2 -> new SetForm(elements);
        case 3 -> new MapForm(entries(elements));
        case 4 -> new ConcurrentForm(entries(elements));
        case 5 -> new SkipListForm(null, entries(elements));
        case 6 -> new SkipListForm(String.CASE_INSENSITIVE_ORDER, entries(elements));
        case 7 -> new SkipListForm(Collections.reverseOrder(), entries(elements));
        case 8 -> new ImmutableForm(ImmutableForm.SET, elements);
        case 9 -> new ImmutableForm(ImmutableForm.MAP, entries(elements));
        case 10 -> new ImmutableForm(ImmutableForm.LIST, elements);
        case 11 -> Collections.unmodifiableList(Arrays.asList(elements));
        case 12 -> Collections.synchronizedCollection(Arrays.asList(elements));
        case 13 -> elements;
        case 14 -> {
          TreeSet<String> texts = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
          texts.addAll(texts(elements));
          yield texts;
        }
        case 15 -> {
          TreeMap<String, Object> texts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
          texts(elements).forEach(text -> texts.put(text, "v"));
          yield texts;
        }
        case 16 -> new CopyOnWriteArraySet<>(Arrays.asList(firstOf(elements)));
        case 17 -> new CopyOnWriteArrayList<>(elements);
        case 18 -> new ArrayDeque<>(Arrays.asList(elements));
        case 19 -> {
          ConcurrentSkipListSet<String> texts =
              new ConcurrentSkipListSet<>(String.CASE_INSENSITIVE_ORDER);
          texts.addAll(texts(elements));
          yield texts;
        }
        default -> new AbstractMap.SimpleEntry<>(elements[0], elements[elements.length - 1]);
      };
    }

    /** Those that are texts, few of them: each takes time to be made. */
    private static List<String> texts(Object[] elements) {
      return Arrays.stream(firstOf(elements))
          .filter(String.class::isInstance)
          .map(String.class::cast)
          .toList();
    }

    private static Object[] firstOf(Object[] elements) {
      return Arrays.copyOf(elements, Math.min(elements.length, 500));
    }

    private Twins element(Twins shared, int variety, int i, int size) {
      return switch (variety) {
        case 0 -> shared;
        case 1 ->
            i % 2 == 0 ? shared : new Twins(/* one= */ shared.other(), /* other= */ shared.one());
        case 2 -> same(new AbstractMap.SimpleEntry<>(i, i)); // of one hash
        case 3 -> same(i * 2 * size); // in one place
        case 4 -> new Twins(Arrays.asList(i, shared.one()), Arrays.asList(i, shared.other()));
        case 5 -> new Twins(new Counted(0), new Counted(0));
        case 6 -> elements.length == 0 ? shared : elements[elsewhere(i)];
        default -> made.get(i % made.size());
      };
    }

    /** Neighbours here lie far apart in memory. */
    private int elsewhere(int i) {
      return (int) (i * 7919L % elements.length);
    }

    private static Twins same(Object object) {
      return new Twins(object, object);
    }
  }
}
