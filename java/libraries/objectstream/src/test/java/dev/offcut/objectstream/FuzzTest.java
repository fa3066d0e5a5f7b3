package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.objectstream.Model.Circle;
import dev.offcut.objectstream.Model.Handler;
import dev.offcut.objectstream.Model.LineItem;
import dev.offcut.objectstream.Model.Node;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.objectstream.Model.Pair;
import dev.offcut.objectstream.Model.Point;
import dev.offcut.objectstream.Model.Shape;
import dev.offcut.objectstream.Model.Square;
import dev.offcut.objectstream.Model.Status;
import dev.offcut.objectstream.Model.Written;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that were cut, flipped, spliced: each ends in an object or a documented exception. */
@Timeout(300)
class FuzzTest {
  private static final int MUTATIONS = Integer.getInteger("fuzz.mutations", 20_000);

  private static final StreamPolicy POLICY =
      StreamPolicy.allow(
              Order.class,
              LineItem.class,
              Status.class,
              Pair.class,
              Node.class,
              Written.class,
              Handler.class)
          .allowNames(Model.FORM)
          .allowSealed(Shape.class)
          .allowCollections()
          .allowConcurrentCollections()
          .allowProxies(Model.Api.class)
          .allowLambdas(Model.class)
          .build();

  private static List<byte[]> seeds() {
    Order order = new Order();
    order.lines.add(new LineItem("bolt", 12, new BigDecimal("0.35")));
    order.lines.add(new LineItem("nut", 1, BigDecimal.TEN));
    order.anything =
        new Object[] {new int[][] {{1}, {2, 3}}, int.class, LineItem.class, null, "text"};
    Map<Object, Object> map = new HashMap<>();
    map.put("a", List.of(1, 2, 3));
    map.put(LocalDate.of(2026, 11, 1), new TreeMap<>(Map.of("k", order)));
    map.put(EnumSet.of(Status.OPEN), new EnumMap<>(Map.of(Status.OPEN, 1)));
    return List.of(
        Streams.of(order),
        Streams.of(map),
        Streams.of(new ArrayList<>(List.of(map, order, map)), "b", order),
        Streams.of(new LinkedHashSet<>(Arrays.asList("x", null, 5L, new byte[40]))),
        Streams.of(Streams.linked(Arrays.asList(new Circle(new Point(1, 2)), new Square()))),
        Streams.of(new ArrayDeque<>(Set.of(1, 2, 3)), new ConcurrentHashMap<>(Map.of("a", 1))),
        Streams.of(Node.chain(20), new Written("w"), new Pair(1, new Pair(2, "x"))),
        Streams.of(Model.proxy(), Model.lambda("answer")),
        Laughs.sets(8),
        Laughs.mapKeys(8),
        Laughs.circle());
  }

  @Test
  void readObject_ofMutatedStreams_endsInADocumentedWay() {
    long seed = Long.getLong("fuzz.seed", System.nanoTime());
    System.out.println("FuzzTest: again with -Dtest.jvm.args=-Dfuzz.seed=" + seed);
    Random random = new Random(seed);
    List<byte[]> seeds = seeds();
    int whole = 0;
    int failed = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] mutated = mutate(seeds.get(i % seeds.size()), seeds, random);
      if (endsWell(mutated, seed, i)) {
        whole++;
      } else {
        failed++;
      }
    }
    assertThat(whole).isPositive();
    assertThat(failed).isGreaterThan(MUTATIONS / 2);
  }

  @Test
  void readObject_ofStreamsCutAnywhere_endsInADocumentedWay() {
    for (byte[] seed : seeds()) {
      for (int length = 0; length < seed.length; length++) {
        endsWell(Arrays.copyOf(seed, length), 0, length);
      }
    }
  }

  private static boolean endsWell(byte[] bytes, long seed, int round) {
    try (SafeObjectInputStream in = Streams.open(POLICY, bytes)) {
      for (int i = 0; i < 3; i++) {
        in.readObject(Object.class);
      }
      return true;
    } catch (IOException | ClassNotFoundException e) {
      return false;
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ", round " + round, t);
    }
  }

  private static byte[] mutate(byte[] original, List<byte[]> seeds, Random random) {
    byte[] bytes = original.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = 4 + random.nextInt(bytes.length - 8);
      switch (random.nextInt(7)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> bytes[at] = (byte) (0x70 + random.nextInt(15)); // codes of the format
        case 3 -> bytes = Arrays.copyOf(bytes, Math.max(9, at));
        case 4 -> System.arraycopy(bytes, at, bytes, 4, Math.min(8, bytes.length - at)); // moves
        case 5 -> Arrays.fill(bytes, at, at + 4, (byte) (random.nextBoolean() ? 0x7f : 0xff));
        default -> bytes = splice(bytes, at, seeds.get(random.nextInt(seeds.size())), random);
      }
    }
    return bytes;
  }

  /** The beginning of one and the end of another. */
  private static byte[] splice(byte[] first, int at, byte[] second, Random random) {
    int from = 4 + random.nextInt(second.length - 8);
    byte[] spliced = Arrays.copyOf(first, at + second.length - from);
    System.arraycopy(second, from, spliced, at, second.length - from);
    return spliced;
  }
}
