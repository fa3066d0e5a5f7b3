package dev.offcut.retrofit.stream;

import java.io.ByteArrayInputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedList;
import org.jspecify.annotations.Nullable;

/**
 * What random graphs are made of; any of these may be in any loader. Wherever a stream calls them,
 * they call the play, which may read on with their loader's reader. None has a hash by identity.
 */
@SuppressWarnings("serial") // the parts are objects of the graphs: all of them can be written
public final class GraphNodes {
  private GraphNodes() {}

  /** Writes their number and the parts. */
  public static void writeParts(ObjectOutput out, @Nullable Object[] parts) throws IOException {
    out.writeByte(parts.length);
    for (@Nullable Object each : parts) {
      out.writeObject(each);
    }
  }

  /** An interface. */
  public interface Marker {}

  /** An interface of a program that others cannot see. */
  interface Hidden {}

  /** No code runs when it is read. */
  public static class Leaf implements Serializable {
    /** A part. */
    public @Nullable Object part;

    /** What those with a writeObject write after their fields, for others to read. */
    public transient @Nullable Object[] parts = {};

    @Override
    public int hashCode() {
      return 2;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  /** One more class. */
  public static class Leaf1 extends Leaf {}

  /** One more class. */
  public static class Leaf2 extends Leaf {}

  /** One more class. */
  public static class Leaf3 extends Leaf1 {}

  /** One more class. */
  public static class Leaf4 extends Leaf {}

  /** One more class. */
  public static class Leaf5 extends Leaf4 {}

  /** One more class. */
  public static class Leaf6 extends Leaf {}

  /** Code runs when its class is initialized. */
  public static class Initializes extends Leaf {
    static {
      GraphPlay.againHere("initializer", new GraphReads());
    }
  }

  /** Reads its parts itself, each in a way of its own. */
  public static class Calls extends Leaf {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      writeParts(out, parts);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      GraphPlay.leak(in);
      GraphPlay.again("readObject", new GraphReads());
      in.defaultReadObject();
      parts = new Object[Math.min(in.readByte(), 4)];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = GraphPlay.part(in, new GraphReads());
      }
    }
  }

  /** Has no readObject, but what it extends has. */
  public static class Derived extends Calls {}

  /** Reads with defaultReadObject. */
  public static class Defaults extends Leaf {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      writeParts(out, parts);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      GraphPlay.leak(in);
      in.defaultReadObject();
      in.readByte();
      GraphPlay.again("defaults", new GraphReads());
    }
  }

  /** Reads with readFields. */
  public static class Fields extends Leaf {
    /** Another part. */
    public @Nullable Object more;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      writeParts(out, parts);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      GraphPlay.leak(in);
      more = in.readFields().get("more", null);
      in.readByte();
      GraphPlay.again("fields", new GraphReads());
    }
  }

  /** Fails when it is read. */
  public static class Fails extends Leaf {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      writeParts(out, parts);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      throw new InvalidObjectException("fails");
    }
  }

  /** Reads its part itself. */
  public static class External implements Externalizable {
    /** The part. */
    public @Nullable Object part;

    /** An object. */
    public External() {
      GraphPlay.again("constructor", new GraphReads());
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(part);
      out.writeObject(new Leaf[][] {{new Leaf5()}});
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      part = in.readObject();
      GraphPlay.again("readExternal", new GraphReads());
    }
  }

  /** Reads on when it is resolved. */
  public static class Resolves extends Leaf {
    private Object readResolve() {
      GraphPlay.again("readResolve", new GraphReads());
      return part == null ? this : part;
    }
  }

  /** Reads on when all is read. */
  public static class Validates extends Leaf implements ObjectInputValidation {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      writeParts(out, parts);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.registerValidation(this, 1);
      in.defaultReadObject();
    }

    @Override
    public void validateObject() {
      GraphPlay.again("validateObject", new GraphReads());
    }
  }

  /** Reads on when it is hashed or compared. */
  public static class Key extends Leaf implements Comparable<Key> {
    /** The hash. */
    public final int hash;

    /** A key. */
    public Key(int hash) {
      this.hash = hash;
    }

    @Override
    public int hashCode() {
      GraphPlay.again("hashCode", new GraphReads());
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      GraphPlay.again("equals", new GraphReads());
      return this == other;
    }

    @Override
    public int compareTo(Key other) {
      GraphPlay.again("compareTo", new GraphReads());
      return Integer.compare(hash, other.hash);
    }
  }

  /** Reads on when it compares. */
  public static class Order implements Comparator<Object>, Serializable {
    @Override
    public int compare(Object one, Object other) {
      GraphPlay.again("compare", new GraphReads());
      return one.toString().compareTo(other.toString());
    }
  }

  /** A record, which reads on when it is made. */
  public record Pair(Object first, Object second) implements Serializable {
    /** A pair. */
    public Pair {
      GraphPlay.again("record", new GraphReads());
    }
  }

  /** An enum, which reads on when it is initialized. */
  public enum Colour {
    /** One. */
    RED,
    /** Another. */
    GREEN;

    static {
      GraphPlay.againHere("enum", new GraphReads());
    }
  }

  /** A proxy's code, which reads on when it is hashed. */
  public static class Handler extends Leaf implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] args) {
      GraphPlay.again("proxy", new GraphReads());
      return switch (method.getName()) {
        case "hashCode" -> 9;
        case "equals" -> proxy == args[0];
        default -> "proxy";
      };
    }
  }

  /** A list with a readObject of its own. */
  public static class OwnList extends ArrayList<Object> {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject(new Leaf6());
      out.writeObject(new Leaf[] {new Leaf3()});
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      GraphPlay.leak(in);
      add(in.readObject());
      GraphPlay.again("list", new GraphReads());
    }
  }

  /**
   * Lets the private readObject of a list read its parts: into a list that the stream knows nothing
   * of.
   */
  @SuppressWarnings("JdkObsolete") // its readObject is the simplest
  public static class Lends extends Leaf {
    /** The list. */
    public transient LinkedList<Object> list = new LinkedList<>();

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(parts.length);
      for (@Nullable Object each : parts) {
        out.writeObject(each);
      }
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Object one = factory.getMethod("getReflectionFactory").invoke(null);
        Method find = factory.getMethod("readObjectForSerialization", Class.class);
        list = new LinkedList<>();
        ((MethodHandle) find.invoke(one, LinkedList.class)).invoke(list, in);
      } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Reads a stream of its own from what it holds. */
  public static class Nests extends Leaf {
    /** The other stream. */
    public byte[] bytes = {};

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try (ObjectInputStream inner = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
        GraphPlay.leak(inner);
        part = GraphPlay.part(inner, new GraphReads());
      }
      GraphPlay.leak(in);
      GraphPlay.again("nested", new GraphReads());
    }
  }
}
