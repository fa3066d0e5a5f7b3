package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.memory.MemoryPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PoolBufferTest {
  private static final int BEFORE = 8192;
  private static final int AFTER = 64;

  /** Something that a program does with the bytes of a view from an index on. */
  private interface Access {
    void run(ByteBuf view, int index) throws Exception;
  }

  private interface View {
    ByteBuf of(ByteBuf buffer);
  }

  static Stream<Arguments> views() {
    Map<String, View> views = new LinkedHashMap<>();
    views.put("slice", buffer -> buffer.slice(0, BEFORE));
    views.put("slice of a slice", buffer -> buffer.slice(0, BEFORE).slice(0, BEFORE));
    views.put("duplicate", ByteBuf::duplicate);
    views.put("little-endian", PoolBufferTest::littleEndian);
    views.put("composite", PoolBufferTest::composite);
    return views.entrySet().stream().map(view -> Arguments.of(view.getKey(), view.getValue()));
  }

  @SuppressWarnings("deprecation") // programs have such views
  private static ByteBuf littleEndian(ByteBuf buffer) {
    return buffer.slice(0, BEFORE).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuf composite(ByteBuf buffer) {
    CompositeByteBuf composite = buffer.alloc().compositeBuffer();
    return composite.addComponent(true, buffer.retainedSlice(0, BEFORE));
  }

  /** By name. Each stays within 8 bytes. */
  private static Map<String, Access> accesses(FileChannel file) {
    byte[] array = new byte[8];
    Map<String, Access> all = new LinkedHashMap<>();
    all.put("getByte", ByteBuf::getByte);
    all.put("getShort", ByteBuf::getShort);
    all.put("getShortLE", ByteBuf::getShortLE);
    all.put("getMedium", ByteBuf::getMedium);
    all.put("getMediumLE", ByteBuf::getMediumLE);
    all.put("getInt", ByteBuf::getInt);
    all.put("getIntLE", ByteBuf::getIntLE);
    all.put("getLong", ByteBuf::getLong);
    all.put("getLongLE", ByteBuf::getLongLE);
    all.put("setByte", (view, i) -> view.setByte(i, -1));
    all.put("setShort", (view, i) -> view.setShort(i, -1));
    all.put("setShortLE", (view, i) -> view.setShortLE(i, -1));
    all.put("setMedium", (view, i) -> view.setMedium(i, -1));
    all.put("setMediumLE", (view, i) -> view.setMediumLE(i, -1));
    all.put("setInt", (view, i) -> view.setInt(i, -1));
    all.put("setIntLE", (view, i) -> view.setIntLE(i, -1));
    all.put("setLong", (view, i) -> view.setLong(i, -1));
    all.put("setLongLE", (view, i) -> view.setLongLE(i, -1));
    all.put("setZero", (view, i) -> view.setZero(i, 8));
    all.put("getBytes to an array", (view, i) -> view.getBytes(i, array));
    all.put("getBytes to a ByteBuffer", (view, i) -> view.getBytes(i, ByteBuffer.allocate(8)));
    all.put("getBytes to a heap buffer", (view, i) -> view.getBytes(i, Unpooled.buffer(8), 8));
    all.put("getBytes to another", (view, i) -> with(view, other -> view.getBytes(i, other, 8)));
    all.put("getBytes of another", (view, i) -> with(view, other -> other.getBytes(0, view, i, 8)));
    all.put("getBytes to a stream", (view, i) -> view.getBytes(i, new ByteArrayOutputStream(), 8));
    all.put("getBytes to a channel", (view, i) -> view.getBytes(i, out(), 8));
    all.put("getBytes to a file", (view, i) -> view.getBytes(i, file, 0, 8));
    all.put("setBytes of an array", (view, i) -> view.setBytes(i, array));
    all.put("setBytes of a ByteBuffer", (view, i) -> view.setBytes(i, ByteBuffer.allocate(8)));
    all.put(
        "setBytes of a heap buffer",
        (view, i) -> view.setBytes(i, Unpooled.wrappedBuffer(array), 8));
    all.put("setBytes of another", (view, i) -> with(view, other -> view.setBytes(i, other, 0, 8)));
    all.put("setBytes to another", (view, i) -> with(view, other -> other.setBytes(0, view, i, 8)));
    all.put(
        "setBytes of a stream", (view, i) -> view.setBytes(i, new ByteArrayInputStream(array), 8));
    all.put("setBytes of a channel", (view, i) -> view.setBytes(i, in(array), 8));
    all.put("setBytes of a file", (view, i) -> view.setBytes(i, file, 0, 8));
    all.put("nioBuffer", (view, i) -> view.nioBuffer(i, 8));
    all.put("nioBuffers", (view, i) -> view.nioBuffers(i, 8));
    all.put("internalNioBuffer", (view, i) -> view.internalNioBuffer(i, 8));
    all.put("copy", (view, i) -> view.copy(i, 8).release());
    all.put("forEachByte", (view, i) -> view.forEachByte(i, 8, value -> true));
    all.put("forEachByteDesc", (view, i) -> view.forEachByteDesc(i, 8, value -> true));
    all.put("indexOf", (view, i) -> view.indexOf(i, i + 8, (byte) 77));
    return all;
  }

  private interface WithBuffer {
    void run(ByteBuf other);
  }

  private static void with(ByteBuf view, WithBuffer use) {
    ByteBuf other = view.alloc().directBuffer(8, 8);
    try {
      use.run(other);
    } finally {
      other.release();
    }
  }

  private static GatheringByteChannel out() throws Exception {
    Path file = Files.createTempFile("out", null);
    return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static ScatteringByteChannel in(byte[] bytes) throws Exception {
    Path file = Files.createTempFile("in", null);
    Files.write(file, bytes);
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** What the capacity has left out is another buffer's by then. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("views")
  void access_throughAViewOlderThanASmallerCapacity_isWithinTheBuffer(
      String name, View kind, @TempDir Path folder) throws Exception {
    MemoryPool pool = MemoryPool.named("test").create();
    OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(pool.owner());
    Path path = Files.write(folder.resolve("file"), new byte[8]);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuf buffer = allocator.directBuffer(BEFORE, BEFORE).setZero(0, BEFORE);
      ByteBuf view = kind.of(buffer);
      buffer.capacity(AFTER);
      List<ByteBuf> others = fill(allocator);
      Map<String, Access> accesses = accesses(file);
      if (view instanceof CompositeByteBuf) {
        accesses.remove("copy"); // Netty's loses the new buffer if the bytes are refused
      }
      for (Map.Entry<String, Access> access : accesses.entrySet()) {
        access.getValue().run(view, AFTER - 8);
        for (int index : new int[] {AFTER, AFTER + 1, BEFORE / 2, BEFORE - 8}) {
          assertThatThrownBy(() -> access.getValue().run(view, index))
              .as("%s at %d of %s", access.getKey(), index, name)
              .isInstanceOf(IndexOutOfBoundsException.class);
        }
      }
      // One byte that is there and others that are not.
      assertThatThrownBy(() -> view.getLong(AFTER - 7))
          .isInstanceOf(IndexOutOfBoundsException.class);
      for (ByteBuf other : others) {
        assertThat(other.forEachByte(0, AFTER, value -> value == 0)).isEqualTo(-1);
        other.release();
      }
      if (view instanceof CompositeByteBuf) {
        view.release();
      }
      buffer.release();
    }
    pool.verify();
    allocator.close();
    pool.close();
  }

  /** So many that they are where the buffer's bytes were. */
  private static List<ByteBuf> fill(ByteBufAllocator allocator) {
    List<ByteBuf> others = new ArrayList<>();
    for (int i = 0; i < 2 * BEFORE / AFTER; i++) {
      others.add(allocator.directBuffer(AFTER, AFTER).setZero(0, AFTER));
    }
    return others;
  }
}
