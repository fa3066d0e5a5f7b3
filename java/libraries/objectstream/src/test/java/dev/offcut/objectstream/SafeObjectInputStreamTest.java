package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.objectstream.Model.Entity;
import dev.offcut.objectstream.Model.Gadget;
import dev.offcut.objectstream.Model.LineItem;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.objectstream.Model.Status;
import dev.offcut.objectstream.Model.Swallower;
import dev.offcut.objectstream.Model.Throwing;
import dev.offcut.objectstream.Model.Written;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.StreamCorruptedException;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What passes, what does not, and how it is said. */
class SafeObjectInputStreamTest {
  private static final StreamPolicy NOTHING = StreamPolicy.builder().build();
  private static final StreamPolicy ORDERS =
      StreamPolicy.allow(Order.class, LineItem.class, Status.class).allowCollections().build();

  @Test
  void readObject_ofAllowedGraph_isTheGraph() throws Exception {
    Order order = new Order();
    order.lines.add(new LineItem("bolt", 12, new BigDecimal("0.35")));
    order.status = Status.CLOSED;
    order.anything = new Object[] {new int[][] {{1}, {2, 3}}, int.class, LineItem.class, "text"};
    try (SafeObjectInputStream in = Streams.open(ORDERS, Streams.of(order, null, "end"))) {
      Order read = in.readObject(Order.class);
      assertThat(read.lines).isEqualTo(order.lines);
      assertThat(read.status).isSameAs(Status.CLOSED);
      assertThat(read.id).isEqualTo(7);
      assertThat(read).usingRecursiveComparison().isEqualTo(order);
      assertThat(in.readObject()).isNull();
      assertThat(in.readObject(String.class)).isEqualTo("end");
      assertThatThrownBy(() -> in.readObject(String.class)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void readObject_ofUnnamedClass_refusesBeforeItRuns() {
    Gadget.ran = 0;
    Streams.assertRefused(ORDERS, new Gadget())
        .hasMessage(
            "dev.offcut.objectstream.Model$Gadget: not allowed in this stream; if you trust it, add"
                + " allow(dev.offcut.objectstream.Model.Gadget.class) or"
                + " allowNames(\"dev.offcut.objectstream.Model$Gadget\") to the policy")
        .extracting(e -> ((RefusedClassException) e).className())
        .isEqualTo(Gadget.class.getName());
    assertThat(Gadget.ran).isZero();
  }

  @Test
  void readObject_ofNamesThatAreNone_refuses() {
    for (String name :
        List.of("", "[", "[X", "[L;", "[Lx", "[".repeat(256) + "I", "a\nb", "x".repeat(60_000))) {
      byte[] bytes =
          Streams.byHand(
              out -> {
                out.writeByte(java.io.ObjectStreamConstants.TC_OBJECT);
                Streams.describe(out, name, 1);
              });
      Streams.assertRefused(NOTHING, bytes).message().doesNotContain("\n").hasSizeLessThan(1_000);
    }
  }

  @Test
  void readObject_ofSubclassAllowedByName_needsItsSuperclasses() throws Exception {
    StreamPolicy named = StreamPolicy.builder().allowNames(Order.class.getName()).build();
    assertThatThrownBy(() -> Streams.pass(named, new Order()))
        .hasMessageContaining("Model$Entity: not allowed");
    StreamPolicy both =
        StreamPolicy.builder()
            .allowNames(Order.class.getName(), Entity.class.getName(), Status.class.getName())
            .allowCollections()
            .build();
    assertThat(Streams.pass(both, new Order())).isInstanceOf(Order.class);
  }

  @Test
  void readObject_ofArrayOfUnnamedClass_refusesEvenIfEmpty() {
    Streams.assertRefused(ORDERS, new Gadget[0][])
        .hasMessageStartingWith("dev.offcut.objectstream.Model$Gadget: not allowed");
  }

  @Test
  void readObject_ofClassLiteralOfUnnamedClass_refuses() {
    Streams.assertRefused(ORDERS, Gadget.class);
  }

  @Test
  void readObject_ofOtherRoot_saysBothTypes() throws Exception {
    try (SafeObjectInputStream in = Streams.open(ORDERS, Streams.of(new Order()))) {
      assertThatThrownBy(() -> in.readObject(LineItem.class))
          .isInstanceOf(RootTypeException.class)
          .hasMessageContaining("Model$Order of loader")
          .hasMessageContaining("not a dev.offcut.objectstream.Model$LineItem");
    }
  }

  @Test
  void readObject_withoutType_refusesToo() throws Exception {
    try (SafeObjectInputStream in = Streams.open(ORDERS, Streams.of("ok", new Gadget()))) {
      assertThat(in.readObject()).isEqualTo("ok");
      assertThatThrownBy(in::readObject).isInstanceOf(RefusedClassException.class);
    }
  }

  @Test
  void readObject_afterARefusal_isRefusedToo() throws Exception {
    try (SafeObjectInputStream in = Streams.open(ORDERS, Streams.of(new Gadget(), "ok"))) {
      assertThatThrownBy(() -> in.readObject(Object.class))
          .isInstanceOf(RefusedClassException.class);
      assertThatThrownBy(() -> in.readObject(Object.class)).isInstanceOf(Exception.class);
    }
  }

  @Test
  void readObject_whereAClassSwallowsTheRefusal_refusesAllTheSame() {
    StreamPolicy policy = StreamPolicy.allow(Swallower.class).build();
    Streams.assertRefused(policy, new Swallower(new Gadget())).hasMessageContaining("Gadget");
    StreamPolicy flat = StreamPolicy.allow(Swallower.class).maxDepth(2).build();
    Streams.assertOver(flat, new Swallower(new Object[] {new Object[] {1}}));
  }

  @Test
  void readObject_ofClassThatThrows_isAnIOExceptionWithTheCause() {
    StreamPolicy policy = StreamPolicy.allow(Throwing.class).build();
    assertThatThrownBy(() -> Streams.pass(policy, new Throwing()))
        .isInstanceOf(StreamCorruptedException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not like this");
  }

  /** Some of them cannot be named in a program. */
  @Test
  void readObject_ofClassOfAGroup_namesTheGroup() {
    Streams.assertRefused(NOTHING, List.of(1, 2, 3))
        .hasMessage(
            "java.util.CollSer: not allowed in this stream; if you trust it, add"
                + " allowCollections() to the policy");
    Streams.assertRefused(NOTHING, new ConcurrentHashMap<>())
        .hasMessageContaining("add allowConcurrentCollections() to the policy");
  }

  @Test
  void readObject_ofReplacedObject_needsBothClasses() throws Exception {
    StreamPolicy both = StreamPolicy.allow(Written.class).allowNames(Model.FORM).build();
    assertThat(Streams.pass(both, new Written("w"))).isEqualTo(new Written("w"));
    StreamPolicy formOnly = StreamPolicy.builder().allowNames(Model.FORM).build();
    Streams.assertRefused(formOnly, new Written("w"))
        .hasMessageContaining("Model$Written: not allowed");
    assertThatThrownBy(
            () -> Streams.pass(StreamPolicy.allow(Written.class).build(), new Written("w")))
        .hasMessageContaining("Form: not allowed");
  }

  @Test
  void setObjectInputFilter_byTheCaller_cannotReplaceThePolicy() throws Exception {
    try (SafeObjectInputStream in = Streams.open(ORDERS, Streams.of("a"))) {
      assertThatThrownBy(() -> in.setObjectInputFilter(info -> null))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void open_ofNoObjectStream_failsAndLeavesTheInputOpen() {
    Input input = new Input(new byte[10]);
    assertThatThrownBy(() -> ORDERS.open(input, getClass().getClassLoader()))
        .isInstanceOf(StreamCorruptedException.class);
    assertThat(input.isClosed).isFalse();
  }

  @Test
  void close_closesTheInput() throws Exception {
    Input input = new Input(Streams.of("a"));
    ORDERS.open(input, getClass().getClassLoader()).close();
    assertThat(input.isClosed).isTrue();
  }

  private static final class Input extends ByteArrayInputStream {
    boolean isClosed;

    Input(byte[] bytes) {
      super(bytes);
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
