package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.objectstream.Forged.ConcurrentForm;
import dev.offcut.objectstream.Forged.MapForm;
import dev.offcut.objectstream.Forged.SetForm;
import dev.offcut.objectstream.Model.Invalid;
import dev.offcut.objectstream.Model.LineItem;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.objectstream.Model.Pair;
import dev.offcut.objectstream.Model.Point;
import dev.offcut.objectstream.Model.Status;
import dev.offcut.objectstream.Model.Swallower;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whether references are followed to what they stand for, whatever came before. A list of known
 * weight comes last, and is put into sets; nothing else in these streams is a key.
 */
class NestingTest {
  private static final int TIMES = 100;
  private static final List<Object> KEY = List.of("a", "b", "c", "d");
  private static final int STEPS = (6 + 4) * TIMES;

  @SuppressWarnings("JdkObsolete") // what is tested
  private static StreamPolicy.Builder policy() {
    return StreamPolicy.allow(
            Pair.class,
            Point.class,
            Order.class,
            LineItem.class,
            Status.class,
            Swallower.class,
            Invalid.class,
            Model.Written.class,
            Model.Handler.class,
            Properties.class)
        .allowNames(Model.FORM)
        .allowCollections()
        .allowConcurrentCollections()
        .allowProxies(Model.Api.class)
        .allowLambdas(Model.class);
  }

  private static SetForm keys() {
    return new SetForm(Collections.nCopies(TIMES, KEY).toArray());
  }

  static List<Object> before() {
    Order order = new Order();
    order.lines.add(new LineItem("bolt", 12, new BigDecimal("0.35")));
    order.anything = new Object[] {order, Status.CLOSED, Status.CLOSED, Status.OPEN, order.lines};
    return List.of(
        "text",
        "x".repeat(70_000),
        1,
        order,
        Status.CLOSED,
        LocalDate.of(2026, 11, 1),
        new BigDecimal("1.5"),
        Order.class,
        int[][].class,
        Status.class,
        ObjectStreamClass.lookup(Order.class),
        ObjectStreamClass.lookup(LineItem.class),
        new int[][] {{1}, {2}},
        new Object[] {null, null, new String[] {"a", null}},
        new Pair(new Point(1, 2), new Point(3, 4)),
        List.of(1, 2, List.of()),
        new EnumMap<>(Map.of(Status.OPEN, "x")),
        new TreeMap<>(Map.of("a", new ArrayList<>())),
        new Model.Written("w"),
        Model.proxy(),
        Model.lambda("answer"),
        new Swallower("held"));
  }

  @ParameterizedTest
  @MethodSource("before")
  void reference_afterWhateverHasHandles_isFollowed(Object before) throws Exception {
    assertExact(Forged.of(new Object[] {before, keys()}));
    assertExact(Forged.of(new Object[] {before, before, keys()}));
    assertExact(Forged.of(new Object[] {Arrays.asList(before, before), keys()}));
  }

  /** The stream itself does not know what is in the rest of an object that has failed. */
  @Test
  void readObject_afterAClassHasSwallowedAnException_isRefused() throws Exception {
    Swallower swallower = new Swallower(new Pair(new Invalid(), null));
    assertThat(Streams.read(policy().build(), Forged.of(swallower))).isInstanceOf(Swallower.class);
    for (Object after : Arrays.asList(Status.OPEN, new Point(1, 2), swallower)) {
      assertThatThrownBy(
              () -> Streams.read(policy().build(), Forged.of(new Object[] {swallower, after})))
          .isInstanceOf(StreamCorruptedException.class)
          .hasMessageContaining("swallowed an exception");
    }
  }

  private static void assertExact(byte[] bytes) throws Exception {
    assertThat(Streams.read(policy().maxWork(STEPS).build(), bytes)).isNotNull();
    assertOneStepLess(bytes);
  }

  private static void assertOneStepLess(byte[] bytes) {
    Streams.assertOver(policy().maxWork(STEPS - 1).build(), bytes)
        .hasMessageContaining(STEPS + " is over maxWork " + (STEPS - 1));
  }

  /** What RMI does, for one. */
  @Test
  void reference_afterAnnotationsOfClasses_isFollowed() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Annotating(bytes)) {
      out.writeObject(new Object[] {new Order(), Model.proxy(), keys(), Status.CLOSED, KEY});
    }
    assertExact(bytes.toByteArray());
  }

  private static final class Annotating extends Forged.Writer {
    Annotating(OutputStream to) throws IOException {
      super(to);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeInt(7);
      writeObject(null);
      writeObject("at " + type.getName());
      if (type == Order.class) {
        writeObject(new Object[] {new Point(1, 2), Point.class, "at " + type.getName(), null});
      }
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeObject(new Point(3, 4));
    }
  }

  @Test
  void reference_afterReset_isFollowed() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Forged.Writer(bytes)) {
      out.writeInt(5);
      out.writeObject(new Order());
      out.reset();
      out.writeUTF("between");
      out.writeUnshared(new Point(1, 2));
      out.writeObject(keys());
    }
    assertThat(readSecond(policy().maxWork(STEPS).build(), bytes.toByteArray())).isNotNull();
    assertThatThrownBy(() -> readSecond(policy().maxWork(STEPS - 1).build(), bytes.toByteArray()))
        .hasMessageContaining("maxWork");
  }

  private static Object readSecond(StreamPolicy policy, byte[] bytes) throws Exception {
    try (SafeObjectInputStream in = Streams.open(policy, bytes)) {
      assertThat(in.readInt()).isEqualTo(5);
      in.readObject(Order.class);
      assertThat(in.readUTF()).isEqualTo("between");
      assertThat(in.readUnshared()).isEqualTo(new Point(1, 2));
      return in.readObject(Object.class);
    }
  }

  /** As a socket may give them. */
  @Test
  void reference_inBytesThatComeOneByOne_isFollowed() throws Exception {
    byte[] bytes = Forged.of(new Object[] {before().get(3), keys(), List.of(1, 1, 1)});
    for (int less = 0; less <= 1; less++) {
      StreamPolicy policy = policy().maxWork(STEPS - less).build();
      InputStream slow =
          new FilterInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
              return super.read(to, offset, Math.min(length, 1));
            }
          };
      try (SafeObjectInputStream in = policy.open(slow, MethodHandles.lookup())) {
        if (less == 0) {
          assertThat(in.readObject(Object[].class)).hasSize(3);
        } else {
          assertThatThrownBy(() -> in.readObject(Object[].class)).hasMessageContaining("maxWork");
        }
      }
    }
  }

  @Test
  void keys_ofSubclassesAndOfMapsInMaps_areFound() throws Exception {
    Map<Object, Object> linked = new LinkedHashMap<>();
    linked.put("1", new LinkedHashSet<>(List.of("2", "3")));
    linked.put("4", new MapForm("5", null, "6", "no key"));
    linked.put("7", new ConcurrentForm("8", "no key", "9", "no key"));
    linked.put("10", new ConcurrentHashMap<>(Map.of("11", List.of("no key"))));
    linked.put("12", new ConcurrentSkipListMap<>(Map.of("two steps", "no key")));
    byte[] bytes = Forged.of(linked);
    assertThat(Streams.read(policy().maxWork(14).build(), bytes)).isInstanceOf(Map.class);
    assertThatThrownBy(() -> Streams.read(policy().maxWork(13).build(), bytes))
        .hasMessageContaining("14 is over maxWork 13");
  }

  /** The same, with a field that the class does not have: it comes before the keys. */
  @Test
  void keys_afterAFieldOfTheSender_areFound() {
    byte[] bytes =
        Streams.byHand(
            out -> {
              out.writeByte(ObjectStreamConstants.TC_OBJECT);
              out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
              out.writeUTF("java.util.concurrent.ConcurrentHashMap");
              out.writeLong(
                  ObjectStreamClass.lookup(ConcurrentHashMap.class).getSerialVersionUID());
              out.writeByte(
                  ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD);
              out.writeShort(1);
              out.writeByte('L');
              out.writeUTF("unknown");
              out.writeByte(ObjectStreamConstants.TC_STRING);
              out.writeUTF("Ljava/lang/Object;");
              Streams.endDescription(out);
              for (int i = 0; i < 3; i++) { // the field, a key, a value
                out.writeByte(ObjectStreamConstants.TC_STRING);
                out.writeUTF("x".repeat(64 * i));
              }
              out.writeByte(ObjectStreamConstants.TC_NULL);
              out.writeByte(ObjectStreamConstants.TC_NULL);
              out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            });
    assertThatThrownBy(() -> Streams.read(policy().maxWork(1).build(), bytes))
        .hasMessageContaining("2 is over maxWork 1");
  }

  @Test
  void readObject_ofImmutableCollectionOfOtherFields_isRefused() {
    byte[] bytes =
        Streams.byHand(
            out -> {
              out.writeByte(ObjectStreamConstants.TC_OBJECT);
              Streams.describe(out, "java.util.CollSer", 6309168927139932177L);
            });
    assertThatThrownBy(() -> Streams.read(policy().build(), bytes))
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining("other fields than it has");
  }

  /** Nobody could tell where the object ends, and what lies in what. */
  @Test
  void readObject_ofMissingClassInAField_isClassNotFound() {
    byte[] bytes =
        Streams.byHand(
            out -> {
              Streams.array(out, Object[].class, 2);
              out.writeByte(ObjectStreamConstants.TC_OBJECT);
              Streams.describe(out, "com.acme.Gone", 1);
              out.writeByte(ObjectStreamConstants.TC_STRING);
              out.writeUTF("not read");
            });
    assertThatThrownBy(() -> Streams.read(policy().allowNames("com.acme.Gone").build(), bytes))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("com.acme.Gone");
  }
}
