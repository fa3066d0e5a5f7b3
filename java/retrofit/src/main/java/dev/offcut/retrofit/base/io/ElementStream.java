package dev.offcut.retrofit.base.io;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import org.jspecify.annotations.Nullable;

/**
 * What a collection of the JDK is given to read itself from: the stream, but that an element is
 * read as a part of the collection, not as an entry.
 *
 * <pre>
 *   stream ─▶ ArrayList.readObject(elements) ─▶ elements.readObject() ─▶ stream, with its memo
 * </pre>
 *
 * <p>Nobody else has it: the collections give it to none. It bears the thread that reads, since a
 * stream's field for it is written without order: a thread uses none that bears another's name.
 *
 * <p>It is made without its constructor, which would ask the program for a filter. Its own state is
 * that of no stream: everything else goes to the stream. {@code StreamClass} checks that these are
 * all the methods there are.
 */
final class ElementStream extends Stock.Stream {
  private @Nullable Thread thread;
  private Stock.@Nullable Stream stream;

  private ElementStream() {}

  void begin(Stock.Stream of, Thread by) {
    stream = of;
    thread = by;
  }

  void end() {
    thread = null;
    stream = null;
  }

  /** Whether the thread that asks reads this stream with it. */
  boolean isFor(Stock.Stream of) {
    return thread == Thread.currentThread() && stream == of;
  }

  Stock.Stream stream() {
    Stock.Stream of = stream;
    if (of == null) {
      throw new IllegalStateException("a collection was read");
    }
    return of;
  }

  @Override
  protected Object readObjectOverride() throws IOException, ClassNotFoundException {
    return stream().readObject(Object.class);
  }

  @Override
  public Object readUnshared() throws IOException, ClassNotFoundException {
    return stream().readUnshared();
  }

  @Override
  public void defaultReadObject() throws IOException, ClassNotFoundException {
    stream().defaultReadObject();
  }

  @Override
  public ObjectInputStream.GetField readFields() throws IOException, ClassNotFoundException {
    return stream().readFields();
  }

  @Override
  public void registerValidation(ObjectInputValidation object, int priority)
      throws NotActiveException, InvalidObjectException {
    stream().registerValidation(object, priority);
  }

  @Override
  public int read() throws IOException {
    return stream().read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return stream().read(buffer, offset, length);
  }

  @Override
  public int available() throws IOException {
    return stream().available();
  }

  @Override
  public void close() throws IOException {
    stream().close();
  }

  @Override
  public boolean readBoolean() throws IOException {
    return stream().readBoolean();
  }

  @Override
  public byte readByte() throws IOException {
    return stream().readByte();
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return stream().readUnsignedByte();
  }

  @Override
  public char readChar() throws IOException {
    return stream().readChar();
  }

  @Override
  public short readShort() throws IOException {
    return stream().readShort();
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return stream().readUnsignedShort();
  }

  @Override
  public int readInt() throws IOException {
    return stream().readInt();
  }

  @Override
  public long readLong() throws IOException {
    return stream().readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return stream().readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return stream().readDouble();
  }

  @Override
  public void readFully(byte[] buffer) throws IOException {
    stream().readFully(buffer);
  }

  @Override
  public void readFully(byte[] buffer, int offset, int length) throws IOException {
    stream().readFully(buffer, offset, length);
  }

  @Override
  public int skipBytes(int length) throws IOException {
    return stream().skipBytes(length);
  }

  @Override
  public String readLine() throws IOException {
    return stream().readLine();
  }

  @Override
  public String readUTF() throws IOException {
    return stream().readUTF();
  }
}
