package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.offcut.objectstream.Model.Node;
import java.io.EOFException;
import java.io.ObjectStreamConstants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Each limit: just within it, and just over it. */
class LimitsTest {
  private static StreamPolicy.Builder collections() {
    return StreamPolicy.builder().allowCollections();
  }

  private static StreamLimitException over(StreamPolicy policy, byte[] bytes) {
    return catchThrowableOfType(StreamLimitException.class, () -> Streams.read(policy, bytes));
  }

  @Test
  void maxDepth_exceeded_saysSo() throws Exception {
    StreamPolicy policy = StreamPolicy.allow(Node.class).maxDepth(10).build();
    assertThat(Streams.pass(policy, Node.chain(10))).isNotNull();
    StreamLimitException e = over(policy, Streams.of(Node.chain(11)));
    assertThat(e.limit()).isEqualTo(Limit.DEPTH);
    assertThat(e.figure()).isEqualTo(11);
    assertThat(e.maximum()).isEqualTo(10);
    assertThat(e)
        .hasMessage(
            "depth: 11 is over maxDepth 10; if the stream is as it should be, set maxDepth(…)"
                + " higher");
  }

  @Test
  void maxReferences_ofObjects_saysSo() throws Exception {
    StreamPolicy policy = collections().maxReferences(100).build();
    assertThat(Streams.pass(policy, strings(90))).isEqualTo(strings(90));
    assertThat(over(policy, Streams.of(strings(101))).limit()).isEqualTo(Limit.REFERENCES);
  }

  private static List<Object> strings(int count) {
    return Streams.linked(IntStream.range(0, count).mapToObj(i -> "s" + i).toList());
  }

  @Test
  void maxReferences_ofFieldsOfDescriptors_saysSo() {
    StreamPolicy policy = StreamPolicy.allow(Node.class).maxReferences(100).build();
    byte[] bytes =
        Streams.byHand(
            out -> {
              out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
              out.writeUTF(Node.class.getName());
              out.writeLong(1);
              out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
              out.writeShort(101);
              for (int i = 0; i < 101; i++) {
                out.writeByte('I');
                out.writeUTF("");
              }
              Streams.endDescription(out);
            });
    assertThat(over(policy, bytes).limit()).isEqualTo(Limit.REFERENCES);
  }

  @Test
  void maxReferences_claimedByArrays_saysSoBeforeTheyAreAllocated() {
    StreamPolicy policy = StreamPolicy.builder().maxReferences(1_000).build();
    StreamLimitException e = over(policy, Streams.claim(Object[].class, 900_000));
    assertThat(e.limit()).isEqualTo(Limit.REFERENCES);
    assertThat(e).hasMessageContaining("java.lang.Object[900000]");
  }

  /** Each lies in the one before, and none has more than its share. */
  @Test
  void maxReferences_claimedByNestedArrays_areAddedUp() {
    StreamPolicy policy = StreamPolicy.builder().maxReferences(10_000).build();
    byte[] bytes =
        Streams.byHand(
            out -> {
              for (int i = 0; i < 50; i++) {
                Streams.array(out, Object[].class, 8_000);
              }
            });
    assertThat(over(policy, bytes).limit()).isEqualTo(Limit.REFERENCES);
  }

  @Test
  void maxArrayLength_exceeded_saysSo() throws Exception {
    StreamPolicy policy = collections().maxArrayLength(16).build();
    assertThat(Streams.pass(policy, new byte[16])).isEqualTo(new byte[16]);
    assertThat(over(policy, Streams.of(new byte[17])).limit()).isEqualTo(Limit.ARRAY_LENGTH);
    assertThat(over(policy, Streams.of((Object) new Object[17])).limit())
        .isEqualTo(Limit.ARRAY_LENGTH);
    List<Integer> list = new ArrayList<>(Collections.nCopies(17, 1));
    assertThat(over(policy, Streams.of(list)).limit()).isEqualTo(Limit.ARRAY_LENGTH);
  }

  @Test
  void maxBytes_exceeded_saysSo() throws Exception {
    byte[] bytes = Streams.of("0123456789");
    StreamPolicy exact = StreamPolicy.builder().maxBytes(bytes.length).build();
    try (SafeObjectInputStream in = Streams.open(exact, bytes)) {
      assertThat(in.readObject(String.class)).isEqualTo("0123456789");
      assertThatThrownBy(() -> in.readObject(String.class)).isInstanceOf(EOFException.class);
    }
    StreamPolicy less = StreamPolicy.builder().maxBytes(bytes.length - 1).build();
    assertThat(over(less, bytes).limit()).isEqualTo(Limit.BYTES);
  }

  /** An OutOfMemoryError would come before any byte of them. */
  @Test
  void maxBytes_claimedByArrays_saysSoBeforeTheyAreAllocated() {
    StreamPolicy policy =
        StreamPolicy.builder().maxArrayLength(Long.MAX_VALUE).maxBytes(1 << 20).build();
    for (Class<?> type :
        List.of(
            boolean[].class,
            byte[].class,
            char[].class,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class)) {
      StreamLimitException e = over(policy, Streams.claim(type, Integer.MAX_VALUE));
      assertThat(e.limit()).isEqualTo(Limit.BYTES);
      assertThat(e).hasMessageContaining(type.componentType() + "[2147483647]");
    }
    StreamPolicy manyReferences =
        StreamPolicy.builder()
            .maxArrayLength(Long.MAX_VALUE)
            .maxReferences(Long.MAX_VALUE)
            .maxBytes(1 << 20)
            .build();
    assertThat(over(manyReferences, Streams.claim(Object[].class, Integer.MAX_VALUE)).limit())
        .isEqualTo(Limit.BYTES);
  }

  @Test
  void limits_withMaximalFigures_areOff() throws Exception {
    StreamPolicy policy =
        StreamPolicy.allow(Node.class)
            .allowCollections()
            .maxArrayLength(Long.MAX_VALUE)
            .maxReferences(Long.MAX_VALUE)
            .maxBytes(Long.MAX_VALUE)
            .maxDepth(Long.MAX_VALUE)
            .maxExpansion(Long.MAX_VALUE)
            .build();
    List<Object> list = new ArrayList<>(Collections.nCopies(300_000, "a"));
    list.add(new long[1_000_000]);
    assertThat(Streams.pass(policy, list))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(300_001);
    assertThat(Streams.pass(policy, Node.chain(300))).isInstanceOf(Node.class);
  }

  /** The rule for claims must not refuse what collections do claim. */
  @Test
  void limits_byDefault_letLargeHonestCollectionsPass() throws Exception {
    StreamPolicy policy = collections().build();
    Map<Integer, Integer> sparse = new HashMap<>(16, 0.25f);
    Set<Integer> sparseSet = new HashSet<>(16, 0.25f);
    List<Object> small = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      sparse.put(i, i);
      sparseSet.add(i);
      if (i % 3 == 0) {
        small.add(new HashMap<>(Map.of(i, i)));
      }
    }
    for (Object honest :
        List.of(
            sparse,
            sparseSet,
            small,
            new ArrayList<>(sparseSet),
            Arrays.asList(sparseSet.toArray()),
            List.copyOf(sparseSet),
            Set.copyOf(sparseSet),
            Map.copyOf(sparse))) {
      assertThat(Streams.pass(policy, honest)).isEqualTo(honest);
    }
    assertThat(Streams.pass(policy, new ArrayDeque<>(sparseSet)))
        .asInstanceOf(InstanceOfAssertFactories.ITERABLE)
        .hasSize(30_000);
  }

  /** Each name makes a class for each of its dimensions, for as long as the loader lives. */
  @Test
  void dimensions_ofArrayClasses_areDepth() throws Exception {
    StreamPolicy policy = StreamPolicy.builder().build();
    assertThat(Streams.read(policy, classOf(8))).isEqualTo(Class.forName("[[[[[[[[I"));
    Streams.assertOver(policy, classOf(9))
        .hasMessageContaining("dimensions counted as 8: 72 is over maxDepth 64; ");
    StreamPolicy deep = StreamPolicy.builder().maxDepth(10_000).build();
    assertThat(Streams.read(deep, classOf(254))).isInstanceOf(Class.class);
  }

  private static byte[] classOf(int dimensions) {
    return Streams.byHand(
        out -> {
          out.writeByte(ObjectStreamConstants.TC_CLASS);
          Streams.describe(out, "[".repeat(dimensions) + "I", 0);
        });
  }
}
