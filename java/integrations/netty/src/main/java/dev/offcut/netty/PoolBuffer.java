package dev.offcut.netty;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A direct buffer whose bytes are a block of a heap.
 *
 * <p>It uses no class of Netty but the abstract buffer, which 4.1 and 4.2 have alike: how Netty's
 * own direct buffers get their memory changes from version to version.
 *
 * <p>As with all of Netty's buffers, only one thread at a time may use it, and a use at the same
 * time as the last release may see bytes of another buffer. Nothing frees the block of a buffer
 * that nobody released, until its allocator is forgotten, too.
 */
final class PoolBuffer extends AbstractReferenceCountedByteBuf {
  @SuppressWarnings("restricted") // what is read and written is within blocks
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT_LE =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
  private static final ValueLayout.OfInt INT_LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG_LE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

  /** Of the array through which a stream is read or written. */
  private static final int MOST_STREAMED = 8 << 10;

  private final OffcutByteBufAllocator allocator;
  private long address;
  private int capacity;

  PoolBuffer(OffcutByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    super(maxCapacity);
    this.allocator = allocator;
    address = allocator.allocateBlock(blockBytes(initialCapacity));
    capacity = initialCapacity;
  }

  /** A block of nothing has a byte, so that it has an address of its own. */
  private static int blockBytes(int bytes) {
    return Math.max(bytes, 1);
  }

  @Override
  protected void deallocate() {
    allocator.freeBlock(address);
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    if (newCapacity != capacity) {
      address = allocator.reallocateBlock(address, blockBytes(newCapacity));
      if (newCapacity < capacity) {
        trimIndicesToCapacity(newCapacity);
      }
      capacity = newCapacity;
    }
    return this;
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  @Override
  @SuppressWarnings("deprecation") // of what it overrides
  public ByteOrder order() {
    return BIG_ENDIAN;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean isContiguous() {
    return true;
  }

  @Override
  public boolean hasArray() {
    return false;
  }

  @Override
  public byte[] array() {
    throw new UnsupportedOperationException("a direct buffer has no array");
  }

  @Override
  public int arrayOffset() {
    throw new UnsupportedOperationException("a direct buffer has no array");
  }

  @Override
  public boolean hasMemoryAddress() {
    return true;
  }

  @Override
  public long memoryAddress() {
    ensureAccessible();
    return address;
  }

  // Values. A view calls these with an index that it checked against its own length only, which may
  // be more than what capacity(int) has left of this buffer.

  /** The address of bytes that are within the capacity. */
  private long at(int index, int bytes) {
    return address + Objects.checkFromIndexSize(index, bytes, capacity);
  }

  @Override
  protected byte _getByte(int index) {
    return ALL.get(JAVA_BYTE, at(index, 1));
  }

  @Override
  protected short _getShort(int index) {
    return ALL.get(SHORT, at(index, 2));
  }

  @Override
  protected short _getShortLE(int index) {
    return ALL.get(SHORT_LE, at(index, 2));
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return ((_getByte(index) & 0xff) << 16) | (_getShort(index + 1) & 0xffff);
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return (_getByte(index) & 0xff) | ((_getShortLE(index + 1) & 0xffff) << 8);
  }

  @Override
  protected int _getInt(int index) {
    return ALL.get(INT, at(index, 4));
  }

  @Override
  protected int _getIntLE(int index) {
    return ALL.get(INT_LE, at(index, 4));
  }

  @Override
  protected long _getLong(int index) {
    return ALL.get(LONG, at(index, 8));
  }

  @Override
  protected long _getLongLE(int index) {
    return ALL.get(LONG_LE, at(index, 8));
  }

  @Override
  protected void _setByte(int index, int value) {
    ALL.set(JAVA_BYTE, at(index, 1), (byte) value);
  }

  @Override
  protected void _setShort(int index, int value) {
    ALL.set(SHORT, at(index, 2), (short) value);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    ALL.set(SHORT_LE, at(index, 2), (short) value);
  }

  @Override
  protected void _setMedium(int index, int value) {
    _setByte(index, value >>> 16);
    _setShort(index + 1, value);
  }

  @Override
  protected void _setMediumLE(int index, int value) {
    _setByte(index, value);
    _setShortLE(index + 1, value >>> 8);
  }

  @Override
  protected void _setInt(int index, int value) {
    ALL.set(INT, at(index, 4), value);
  }

  @Override
  protected void _setIntLE(int index, int value) {
    ALL.set(INT_LE, at(index, 4), value);
  }

  @Override
  protected void _setLong(int index, long value) {
    ALL.set(LONG, at(index, 8), value);
  }

  @Override
  protected void _setLongLE(int index, long value) {
    ALL.set(LONG_LE, at(index, 8), value);
  }

  // Many bytes.

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    checkDstIndex(index, length, dstIndex, dst.capacity());
    if (dst.hasArray()) {
      copyOut(index, dst.array(), dst.arrayOffset() + dstIndex, length);
    } else {
      dst.setBytes(dstIndex, part(index, length)); // a view may be longer than what it shows
    }
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    checkDstIndex(index, length, dstIndex, dst.length);
    copyOut(index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer dst) {
    checkIndex(index, dst.remaining());
    dst.put(part(index, dst.remaining()));
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    checkIndex(index, length);
    byte[] bytes = new byte[Math.min(length, MOST_STREAMED)];
    for (int done = 0; done < length; done += bytes.length) {
      int count = Math.min(bytes.length, length - done);
      copyOut(index + done, bytes, 0, count);
      out.write(bytes, 0, count);
    }
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    checkIndex(index, length);
    return length == 0 ? 0 : out.write(part(index, length));
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    checkIndex(index, length);
    return length == 0 ? 0 : out.write(part(index, length), position);
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    checkSrcIndex(index, length, srcIndex, src.capacity());
    if (src.hasArray()) {
      copyIn(index, src.array(), src.arrayOffset() + srcIndex, length);
    } else {
      src.getBytes(srcIndex, part(index, length)); // as in getBytes
    }
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    checkSrcIndex(index, length, srcIndex, src.length);
    copyIn(index, src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer src) {
    checkIndex(index, src.remaining());
    part(index, src.remaining()).put(src);
    return this;
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    checkIndex(index, length);
    byte[] bytes = new byte[length];
    int read = in.read(bytes, 0, length);
    if (read > 0) {
      copyIn(index, bytes, 0, read);
    }
    return read;
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    checkIndex(index, length);
    try {
      return in.read(part(index, length));
    } catch (ClosedChannelException e) {
      return -1; // as Netty's buffers
    }
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    checkIndex(index, length);
    try {
      return in.read(part(index, length), position);
    } catch (ClosedChannelException e) {
      return -1; // as above
    }
  }

  @Override
  public ByteBuf copy(int index, int length) {
    checkIndex(index, length);
    ByteBuf copy = allocator.directBuffer(length, maxCapacity());
    return copy.writeBytes(this, index, length);
  }

  private void copyOut(int index, byte[] to, int at, int length) {
    MemorySegment.copy(ALL, JAVA_BYTE, address + index, to, at, length);
  }

  private void copyIn(int index, byte[] from, int at, int length) {
    MemorySegment.copy(from, at, ALL, JAVA_BYTE, address + index, length);
  }

  // As java.nio sees it.

  @Override
  public int nioBufferCount() {
    return 1;
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    checkIndex(index, length);
    return part(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return nioBuffer(index, length);
  }

  private ByteBuffer part(int index, int length) {
    return ALL.asSlice(address + index, length).asByteBuffer();
  }
}
