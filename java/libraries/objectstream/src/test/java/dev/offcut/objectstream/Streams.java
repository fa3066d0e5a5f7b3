package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.Collection;
import java.util.LinkedList;
import java.util.List;
import java.util.Vector;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;

/** Object streams as bytes: written by the JDK, or by hand. */
final class Streams {
  private Streams() {}

  static byte[] of(@Nullable Object... objects) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      for (Object object : objects) {
        out.writeObject(object);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static SafeObjectInputStream open(StreamPolicy policy, byte[] bytes) throws IOException {
    return policy.open(new ByteArrayInputStream(bytes), MethodHandles.lookup());
  }

  static Object read(StreamPolicy policy, byte[] bytes) throws IOException, ClassNotFoundException {
    try (SafeObjectInputStream in = open(policy, bytes)) {
      return in.readObject(Object.class);
    }
  }

  /** Writes and reads. */
  static Object pass(StreamPolicy policy, Object object)
      throws IOException, ClassNotFoundException {
    return read(policy, of(object));
  }

  static AbstractThrowableAssert<?, ?> assertRefused(StreamPolicy policy, Object objectOrStream) {
    return assertThrown(RefusedClassException.class, policy, objectOrStream);
  }

  static AbstractThrowableAssert<?, ?> assertOver(StreamPolicy policy, Object objectOrStream) {
    return assertThrown(StreamLimitException.class, policy, objectOrStream);
  }

  private static AbstractThrowableAssert<?, ?> assertThrown(
      Class<?> type, StreamPolicy policy, Object objectOrStream) {
    byte[] bytes = objectOrStream instanceof byte[] stream ? stream : of(objectOrStream);
    return assertThatThrownBy(() -> read(policy, bytes)).isInstanceOf(type);
  }

  /** A list whose stream says nothing of its length before it is there. */
  @SuppressWarnings("JdkObsolete") // what is tested
  static List<Object> linked(Collection<?> elements) {
    return new LinkedList<>(elements);
  }

  /** A collection of no group. */
  @SuppressWarnings("JdkObsolete") // what is tested
  static List<Object> vector(Collection<?> elements) {
    return new Vector<>(elements);
  }

  /** Writes bytes after the header of a stream. */
  interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  static byte[] byHand(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
      out.writeShort(ObjectStreamConstants.STREAM_VERSION);
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The descriptor of a serializable class without fields or superclass. */
  static void describe(DataOutputStream out, String name, long version) throws IOException {
    describe(out, name, version, ObjectStreamConstants.SC_SERIALIZABLE);
  }

  static void describe(DataOutputStream out, String name, long version, int flags)
      throws IOException {
    out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
    out.writeUTF(name);
    out.writeLong(version);
    out.writeByte(flags);
    out.writeShort(0);
    endDescription(out);
  }

  /** No annotation, no superclass. */
  static void endDescription(DataOutputStream out) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    out.writeByte(ObjectStreamConstants.TC_NULL);
  }

  /** The beginning of an array, up to its elements. */
  static void array(DataOutputStream out, Class<?> type, int length) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_ARRAY);
    describe(out, type.getName(), ObjectStreamClass.lookupAny(type).getSerialVersionUID());
    out.writeInt(length);
  }

  /** An array that claims a length; nothing follows. */
  static byte[] claim(Class<?> arrayType, int length) {
    return byHand(out -> array(out, arrayType, length));
  }
}
