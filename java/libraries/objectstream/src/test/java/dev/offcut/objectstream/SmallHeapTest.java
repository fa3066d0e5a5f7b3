package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The largest streams within the default limits, and those just over, in a heap of 64 MiB. */
@Timeout(900)
class SmallHeapTest {
  @Test
  void readObject_ofHostileStreamsInSmallHeap_neverRunsOutOfMemory() throws Exception {
    assertThat(ChildJvm.with("-Xmx64m", "-XX:+UseSerialGC").program(Program.class).run().text())
        .contains("survived");
  }

  /** Reads what was made to need much memory. */
  static final class Program {
    private static final int MUCH = (int) Limit.REFERENCES.byDefault();
    private static final int BYTES = (int) Limit.BYTES.byDefault();

    private static final StreamPolicy POLICY =
        StreamPolicy.allow(Model.Node.class)
            .allowCollections()
            .allowConcurrentCollections()
            .build();

    public static void main(String[] args) {
      read("claimed bytes", () -> Streams.claim(byte[].class, Integer.MAX_VALUE));
      read("claimed longs", () -> Streams.claim(long[].class, Integer.MAX_VALUE - 8));
      read("claimed objects", () -> Streams.claim(Object[].class, Integer.MAX_VALUE));
      read("claimed within limits", () -> nestedClaims(60, MUCH / 2));
      read("claimed tables", () -> nestedTables(60, MUCH - 1_000));
      read(
          "maps",
          () ->
              Streams.of(
                  new ArrayList<>(List.of(many(MUCH / 4, i -> new HashMap<>(Map.of(1, 2)))))));
      read("empty maps", () -> Streams.of((Object) many(MUCH - 100, i -> new HashMap<>())));
      read("empty sets", () -> Streams.of((Object) many(MUCH - 100, i -> new HashSet<>())));
      read(
          "empty linked maps",
          () -> Streams.of((Object) many(MUCH - 100, i -> new LinkedHashMap<>())));
      read("empty trees", () -> Streams.of((Object) many(MUCH - 100, i -> new TreeMap<>())));
      read("nodes", () -> Streams.of((Object) many(MUCH - 100, i -> new Model.Node())));
      read("strings", () -> Streams.of((Object) many(MUCH - 100, i -> "s" + i)));
      read("too many strings", () -> Streams.of((Object) many(3 * MUCH, i -> "s" + i)));
      read("nulls", () -> Streams.of(Streams.linked(Collections.nCopies(MUCH - 100, null))));
      read(
          "too many nulls", () -> Streams.of(Streams.linked(Collections.nCopies(2_000_000, null))));
      read("one string", () -> Streams.of("x".repeat(BYTES - 100)));
      read("one wide string", () -> Streams.of("x".repeat(BYTES - 100) + "\u20ac"));
      read("one array", () -> Streams.of(new long[BYTES / 8 - 20]));
      read("fields", Program::fields);
      read("descriptors", Program::descriptors);
      read("endless sets", () -> Laughs.sets(60));
      read("endless maps", () -> Laughs.mapKeys(60));
      read("deep", () -> Streams.of(Model.Node.chain(300)));
      System.out.println("survived");
    }

    private static void read(String what, Supplier<byte[]> stream) {
      byte[] bytes = stream.get();
      System.out.print(what + ": "); // before the Error that would end the program
      try {
        System.out.println("read " + Streams.read(POLICY, bytes).getClass());
      } catch (IOException | ClassNotFoundException e) {
        System.out.println(e);
      }
    }

    private static Object[] many(int count, IntFunction<Object> element) {
      return IntStream.range(0, count).mapToObj(element).toArray();
    }

    private static byte[] nestedClaims(int depth, int length) {
      return Streams.byHand(
          out -> {
            for (int i = 0; i < depth; i++) {
              Streams.array(out, Object[].class, length);
            }
            out.write(new byte[BYTES / 2]);
          });
    }

    /** Maps as the keys of maps, each of which claims to hold all that may come. */
    private static byte[] nestedTables(int depth, int size) {
      return Streams.byHand(
          out -> {
            for (int i = 0; i < depth; i++) {
              out.writeByte(ObjectStreamConstants.TC_OBJECT);
              Streams.describe(
                  out,
                  HashMap.class.getName(),
                  ObjectStreamClass.lookup(HashMap.class).getSerialVersionUID(),
                  ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD);
              out.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
              out.writeByte(8);
              out.writeInt(16);
              out.writeInt(size);
            }
            out.write(new byte[BYTES / 2]);
          });
    }

    /** Descriptors of as many fields as there can be. */
    private static byte[] fields() {
      return Streams.byHand(
          out -> {
            Streams.array(out, Object[].class, 40);
            for (int i = 0; i < 40; i++) {
              out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
              out.writeUTF(Model.Node.class.getName());
              out.writeLong(1);
              out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
              out.writeShort(Short.MAX_VALUE);
              for (int k = 0; k < Short.MAX_VALUE; k++) {
                out.writeByte('I');
                out.writeShort(0);
              }
              Streams.endDescription(out);
            }
          });
    }

    /** One class described again and again, in an array of classes. */
    private static byte[] descriptors() {
      return Streams.byHand(
          out -> {
            int count = MUCH / 2 - 100;
            Streams.array(out, Object[].class, count);
            for (int i = 0; i < count; i++) {
              out.writeByte(ObjectStreamConstants.TC_CLASS);
              Streams.describe(out, "java.util.Date", 7523967970034938905L);
            }
          });
    }
  }
}
