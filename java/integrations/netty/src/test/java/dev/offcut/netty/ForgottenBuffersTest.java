package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.Detection;
import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryPool;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import shop.Till;

class ForgottenBuffersTest {
  private final MemoryPool pool = MemoryPool.named("test").create();
  private final OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(pool.owner());
  private final Detection level = Handles.detection();

  @AfterEach
  void close() {
    Handles.detection(level);
    pool.verify();
    allocator.close();
    pool.close();
  }

  private static HandleSnapshot.OfType counts() {
    assertThat(Handles.drain(Duration.ofMinutes(1))).isTrue();
    return Handles.snapshot().of(ForgottenBuffers.TYPE);
  }

  @Test
  void buffer_thatIsDropped_comesBackAndIsToldByTheLineThatTookIt() {
    Handles.detection(Detection.FULL);
    long before = counts().forgotten();
    for (int i = 0; i < 3; i++) {
      Till.open(allocator).writeLong(i);
    }
    HandleSnapshot.OfType after = counts();
    assertThat(after.forgotten() - before).isEqualTo(3);
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(after.sites().keySet())
        .anyMatch(site -> site.get(0).toString().equals("shop.Till.open(Till.java:12)"));
  }

  @Test
  void buffer_thatIsReleased_isNotForgotten() {
    long before = counts().forgotten();
    allocator.buffer(10).release();
    ByteBuf grown = allocator.buffer(1).writeZero(100_000);
    grown.release();
    assertThat(counts().forgotten()).isEqualTo(before);
  }

  @Test
  void buffer_ofWhichASliceIsKept_isNotForgotten() {
    long before = counts().forgotten();
    ByteBuf slice = allocator.buffer(16).writeLong(1).writeLong(2).slice(8, 8);
    assertThat(counts().forgotten()).isEqualTo(before);
    assertThat(slice.getLong(0)).isEqualTo(2);
    slice.release();
  }

  @Test
  void buffer_ofWhichAByteBufferIsKept_isForgottenOnlyAfterThat() {
    long before = counts().forgotten();
    List<ByteBuffer> views = new ArrayList<>();
    views.add(allocator.buffer(16).writeLong(1).writeLong(2).nioBuffer(8, 8).slice());
    assertThat(counts().forgotten()).isEqualTo(before);
    assertThat(views.getFirst().getLong(0)).isEqualTo(2);
    views.clear();
    assertThat(counts().forgotten()).isEqualTo(before + 1);
  }

  @Test
  void buffer_afterWhichAReleasedOneIsKept_isForgotten() {
    long before = counts().forgotten();
    ByteBuf released = allocator.buffer(16);
    released.release();
    Till.open(allocator); // has the tether of the released one
    assertThat(counts().forgotten()).isEqualTo(before + 1);
    assertThat(released.refCnt()).isZero();
  }

  @Test
  void buffer_thatHasGrown_comesBackWhole() {
    long before = counts().forgotten();
    Till.open(allocator).writeZero(100_000);
    assertThat(counts().forgotten()).isEqualTo(before + 1);
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  @Test
  void allocator_thatIsDroppedWithItsBuffers_leavesNothing() {
    MemoryPool other = MemoryPool.named("dropped").create();
    OffcutByteBufAllocator.on(other.owner()).buffer(100);
    counts();
    counts(); // of the heap, if its buffers came first
    assertThat(other.snapshot().usedBytes()).isZero();
    other.close();
  }

  @Test
  void buffer_withoutNet_hasNoHandle() {
    OffcutByteBufAllocator plain = OffcutByteBufAllocator.withoutNet(pool.owner());
    long before = counts().opened();
    plain.buffer(10).release();
    assertThat(counts().opened()).isEqualTo(before);
    plain.close();
  }
}
