package dev.offcut.retrofit.stream;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.concurrent.Callable;

/** What the cases read, and what reads it: any of these may be in any loader. */
@SuppressWarnings("serial") // the parts are objects of the cases: all of them can be written
public final class Fixtures {
  private Fixtures() {}

  /** Code of the program, in the loader of its class. */
  public interface Step {
    /** Reads from a stream. */
    Object read(ObjectInputStream in) throws Exception;
  }

  /** An interface of a program that others cannot see. */
  interface Hidden {}

  /** Calls readObject. */
  public static final class ReadOne implements Step {
    @Override
    public Object read(ObjectInputStream in) throws Exception {
      return in.readObject();
    }
  }

  /** Calls readUnshared. */
  public static final class ReadUnshared implements Step {
    @Override
    public Object read(ObjectInputStream in) throws Exception {
      return in.readUnshared();
    }
  }

  /** Makes a method reference, for others to call. */
  public static final class Reference implements Step {
    @Override
    public Object read(ObjectInputStream in) {
      return (Callable<Object>) in::readObject;
    }
  }

  /** Reads by reflection, often enough for a JVM 17 to make an accessor. */
  public static final class Reflective implements Step {
    @Override
    public Object read(ObjectInputStream in) throws Exception {
      Object last = "";
      for (int i = 0; i < 40; i++) {
        last = ObjectInputStream.class.getMethod("readObject").invoke(in);
      }
      return last;
    }
  }

  /** An object. */
  public static class Plain implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public int hashCode() {
      return 2;
    }
  }

  /** Another object. */
  public static class Other extends Plain {
    private static final long serialVersionUID = 1;

    @Override
    public int hashCode() {
      return 4;
    }
  }

  /** A third one. */
  public static class Third implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** A fourth one. */
  public static class Fourth implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** A record. */
  public record Pair(Object first, Object second) implements Serializable {}

  /** An enum. */
  public enum Colour {
    RED,
    GREEN {}
  }

  /** Reads its parts with calls of readObject. */
  public static class Calls implements Serializable {
    private static final long serialVersionUID = 1;

    transient Object[] parts;

    Calls(Object... parts) {
      this.parts = parts;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(parts.length);
      for (Object part : parts) {
        out.writeObject(part);
      }
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      parts = new Object[in.readInt()];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = in.readObject();
      }
    }
  }

  /** Has no readObject, but what it extends has. */
  public static final class Derived extends Calls {
    private static final long serialVersionUID = 1;

    Derived(Object... parts) {
      super(parts);
    }
  }

  /** Reads its part with defaultReadObject. */
  public static final class Defaults implements Serializable {
    private static final long serialVersionUID = 1;

    Object part;

    Defaults(Object part) {
      this.part = part;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  /** Reads its part with readFields. */
  public static final class Fields implements Serializable {
    private static final long serialVersionUID = 1;

    Object part;

    Fields(Object part) {
      this.part = part;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      part = in.readFields().get("part", null);
    }
  }

  /** Reads its part itself. */
  public static final class External implements Externalizable {
    private static final long serialVersionUID = 1;

    Object part = "";

    public External() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(part);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      part = in.readObject();
    }
  }

  /** Reads on when it is resolved. */
  public static final class Resolves implements Serializable {
    private static final long serialVersionUID = 1;

    private Object readResolve() {
      StreamCases.again("readResolve", ObjectInputStream::readObject);
      return this;
    }
  }

  /** Reads on when its superclass has no data. */
  public static class NoData implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObjectNoData() {
      StreamCases.again("readObjectNoData", ObjectInputStream::readObject);
    }
  }

  /** What is written: a class without a superclass. */
  public static class Early implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** What is read for it: the same class later, which has got a superclass that has no data. */
  public static final class Later extends NoData {
    private static final long serialVersionUID = 1;
  }

  /** Has parts, and no code that reads them. */
  public static class Holder implements Serializable {
    private static final long serialVersionUID = 1;

    Object first;
    Object second;

    Holder(Object first, Object second) {
      this.first = first;
      this.second = second;
    }
  }

  /** Reads on when it is hashed or compared. */
  public static final class Key implements Serializable, Comparable<Key> {
    private static final long serialVersionUID = 1;

    private final int hash;

    Key(int hash) {
      this.hash = hash;
    }

    @Override
    public int hashCode() {
      StreamCases.again("hashCode", ObjectInputStream::readObject);
      return hash;
    }

    @Override
    public int compareTo(Key other) {
      StreamCases.again("compareTo", ObjectInputStream::readObject);
      return Integer.compare(hash, other.hash);
    }
  }

  /** Fails when its parts are read. */
  public static final class Fails implements Serializable {
    private static final long serialVersionUID = 1;

    Object part;

    Fails(Object part) {
      this.part = part;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      throw new InvalidObjectException("fails");
    }
  }

  /** Goes on reading when a part fails. */
  public static final class Catches implements Serializable {
    private static final long serialVersionUID = 1;

    private final Object[] parts;

    Catches(Object... parts) {
      this.parts = parts;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      for (Object part : parts) {
        out.writeObject(part);
      }
    }

    private void readObject(ObjectInputStream in) {
      for (int i = 0; i < 4; i++) {
        StreamCases.attempt("caught", in::readObject);
      }
    }
  }

  /** Reads on when all is read. */
  public static final class Validates implements Serializable, ObjectInputValidation {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      in.registerValidation(this, 1);
    }

    @Override
    public void validateObject() {
      StreamCases.again("validateObject", ObjectInputStream::readObject);
    }
  }

  /** Hands the stream to another thread. */
  public static final class HandsOver implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject(new Plain());
      out.writeObject(new Other());
      out.writeObject(new Third());
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      StreamCases.log("before", in.readObject());
      StreamCases.onOtherThread(in);
      StreamCases.log("after", in.readObject());
    }
  }

  /** A list with a readObject of its own. */
  public static final class OwnList extends ArrayList<Object> {
    private static final long serialVersionUID = 1;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject(new Fourth());
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      StreamCases.log("own", in.readObject());
    }
  }

  /** Streams that leave the JDK's methods as they are. */
  public static class SubStream extends ObjectInputStream {
    public SubStream(InputStream in) throws IOException {
      super(in);
    }
  }

  /** Streams that call the JDK's methods from a method of their own. */
  public static final class ViaHelper extends ObjectInputStream {
    public ViaHelper(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass desc)
        throws IOException, ClassNotFoundException {
      return viaHelper(desc);
    }

    private Class<?> viaHelper(ObjectStreamClass desc) throws IOException, ClassNotFoundException {
      return super.resolveClass(desc);
    }
  }

  /** Streams that replace objects, and read on meanwhile. */
  public static final class Replacing extends ObjectInputStream {
    public Replacing(InputStream in) throws IOException {
      super(in);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      StreamCases.again("resolveObject", ObjectInputStream::readObject);
      return object;
    }
  }
}
