package dev.offcut.objectstream;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a program might send. */
final class Model {
  private Model() {}

  static class Entity implements Serializable {
    private static final long serialVersionUID = 1;
    long id = 7;
  }

  static class Order extends Entity {
    private static final long serialVersionUID = 1;
    final ArrayList<LineItem> lines = new ArrayList<>();

    @SuppressWarnings("serial") // whatever a test puts there
    @Nullable Object anything;

    Status status = Status.OPEN;
  }

  static final class SpecialOrder extends Order {
    private static final long serialVersionUID = 1;
  }

  enum Status {
    OPEN,
    CLOSED {
      @Override
      boolean done() {
        return true;
      }
    };

    boolean done() {
      return false;
    }
  }

  record LineItem(String article, int count, BigDecimal price) implements Serializable {}

  record Parcel(
      LineItem item, List<Weight[]> weights, List<? extends Shape> shapes, @Nullable Entity entity)
      implements Serializable {}

  record Weight(double kilograms) implements Serializable {}

  sealed interface Shape extends Serializable permits Circle, Polygon, Free {}

  record Circle(Point centre) implements Shape {}

  record Point(int x, int y) implements Serializable {}

  abstract static sealed class Polygon implements Shape permits Square {
    private static final long serialVersionUID = 1;
  }

  static final class Square extends Polygon {
    private static final long serialVersionUID = 1;
  }

  static non-sealed class Free implements Shape {
    private static final long serialVersionUID = 1;
  }

  static final class Stranger extends Free {
    private static final long serialVersionUID = 1;
  }

  record Pair(@Nullable Object left, @Nullable Object right) implements Serializable {}

  record Copying(List<Object> copied) implements Serializable {
    Copying {
      copied = List.copyOf(copied);
    }
  }

  /** Counts how often it is hashed and compared. */
  static final class Counted implements Serializable {
    private static final long serialVersionUID = 1;
    static long hashes;
    static long comparisons;
    private final int hash;

    Counted(int hash) {
      this.hash = hash;
    }

    @Override
    public int hashCode() {
      hashes++;
      return hash;
    }

    @Override
    @SuppressWarnings("EqualsUsingHashCode") // equal to itself alone
    public boolean equals(@Nullable Object other) {
      comparisons++;
      return this == other;
    }
  }

  /** Runs when it is read. */
  static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1;
    static int ran;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      ran++;
    }
  }

  /** Reads on after what it holds was refused. */
  static final class Swallower implements Serializable {
    private static final long serialVersionUID = 1;
    transient @Nullable Object held;

    Swallower(Object held) {
      this.held = held;
    }

    private void writeObject(java.io.ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeObject(held);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try {
        held = in.readObject();
      } catch (IOException e) {
        held = "swallowed";
      }
    }
  }

  /** Fails as data that is not in order does. */
  static final class Invalid implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new InvalidObjectException("not like this");
    }
  }

  static final class Throwing implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      throw new IllegalArgumentException("not like this");
    }
  }

  static final class Node implements Serializable {
    private static final long serialVersionUID = 1;
    @Nullable Node next;

    static Node chain(int length) {
      Node first = new Node();
      for (int i = 1; i < length; i++) {
        Node node = new Node();
        node.next = first;
        first = node;
      }
      return first;
    }
  }

  /** Written as another class, read back as itself. */
  static final class Written implements Serializable {
    private static final long serialVersionUID = 1;
    final String value;

    Written(String value) {
      this.value = value;
    }

    private Object writeReplace() {
      return new Form(value);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Written w && w.value.equals(value);
    }

    @Override
    public int hashCode() {
      return Objects.hash(value);
    }

    private record Form(String value) implements Serializable {
      private Object readResolve() {
        return new Written(value);
      }
    }
  }

  /** The serialization proxy of {@link Written}. */
  static final String FORM = Written.Form.class.getName();

  interface Api {
    String ask();
  }

  interface SerializableSupplier<T> extends Supplier<T>, Serializable {}

  static SerializableSupplier<String> lambda(String answer) {
    return () -> answer;
  }

  /** Answers a proxy's calls. */
  static final class Handler implements java.lang.reflect.InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return "answer";
    }
  }

  static Api proxy() {
    return (Api)
        java.lang.reflect.Proxy.newProxyInstance(
            Model.class.getClassLoader(), new Class<?>[] {Api.class}, new Handler());
  }
}
