package dev.offcut.agent.stream.jdk;

import dev.offcut.agent.stream.Memo;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/** Stands for {@code java.io.ObjectInputStream} as it is after the rewriting. */
public abstract class StockStream {
  /** Added: what the current entry knows. Read and written without order: {@link Memo} says why. */
  public @Nullable Memo offcutMemo;

  /** Added: what the collection that is being read is given. Without order: that says why. */
  public @Nullable StockStream offcutElements;

  /**
   * Added: the descriptor, or the names of the interfaces, that the stream itself has resolveClass
   * or resolveProxyClass look up. Without order: {@code Entries} says why.
   */
  public @Nullable Object offcutResolving;

  /** Makes one; never called. */
  protected StockStream() {}

  /** The JDK's, or an override. */
  public native Class<?> resolveClass(ObjectStreamClass desc)
      throws IOException, ClassNotFoundException;

  /** The JDK's, or an override. */
  public native Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException;

  /** Was private. What readObject() does after it has entered. */
  public native Object readObject(Class<?> type) throws IOException, ClassNotFoundException;

  /** Was private. Asks the stream's filter. */
  public native void filterCheck(@Nullable Class<?> type, int length) throws InvalidClassException;

  /** The stream's filter. */
  public native @Nullable ObjectInputFilter getObjectInputFilter();

  /** What readObject() does in a stream that says that it reads itself. */
  protected abstract Object readObjectOverride() throws IOException, ClassNotFoundException;

  /** See there. */
  public abstract Object readUnshared() throws IOException, ClassNotFoundException;

  /** See there. */
  public abstract void defaultReadObject() throws IOException, ClassNotFoundException;

  /** See there. */
  public abstract ObjectInputStream.GetField readFields()
      throws IOException, ClassNotFoundException;

  /** See there. */
  public abstract void registerValidation(ObjectInputValidation object, int priority)
      throws NotActiveException, InvalidObjectException;

  /** See there. */
  public abstract int read() throws IOException;

  /** See there. */
  public abstract int read(byte[] buffer, int offset, int length) throws IOException;

  /** See there. */
  public abstract int available() throws IOException;

  /** See there. */
  public abstract void close() throws IOException;

  /** See there. */
  public abstract boolean readBoolean() throws IOException;

  /** See there. */
  public abstract byte readByte() throws IOException;

  /** See there. */
  public abstract int readUnsignedByte() throws IOException;

  /** See there. */
  public abstract char readChar() throws IOException;

  /** See there. */
  public abstract short readShort() throws IOException;

  /** See there. */
  public abstract int readUnsignedShort() throws IOException;

  /** See there. */
  public abstract int readInt() throws IOException;

  /** See there. */
  public abstract long readLong() throws IOException;

  /** See there. */
  public abstract float readFloat() throws IOException;

  /** See there. */
  public abstract double readDouble() throws IOException;

  /** See there. */
  public abstract void readFully(byte[] buffer) throws IOException;

  /** See there. */
  public abstract void readFully(byte[] buffer, int offset, int length) throws IOException;

  /** See there. */
  public abstract int skipBytes(int length) throws IOException;

  /** See there. */
  public abstract String readLine() throws IOException;

  /** See there. */
  public abstract String readUTF() throws IOException;
}
