package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.memory.MemoryPool;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NettyEventsTest {
  private static final List<String> NAMES =
      List.of("io.netty.AllocateBuffer", "io.netty.ReallocateBuffer", "io.netty.FreeBuffer");

  @TempDir private Path folder = Path.of("");

  private final MemoryPool pool = MemoryPool.named("test").create();
  private final OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(pool.owner());

  /** Netty 4.2 has events of the same names for its own allocators, which its own threads use. */
  private static boolean isOurs(RecordedEvent event) {
    return NAMES.contains(event.getEventType().getName())
        && event.getClass("allocatorType").getName().equals(OffcutByteBufAllocator.class.getName());
  }

  @Test
  void recording_thatTurnsThemOn_hasTheLifeOfABuffer() throws Exception {
    long address;
    try (Recording recording = new Recording()) {
      NAMES.forEach(recording::enable);
      recording.start();
      ByteBuf buffer = allocator.directBuffer(100, 1000);
      address = buffer.memoryAddress();
      buffer.writeInt(1).capacity(200);
      buffer.release();
      recording.stop();
      Path file = folder.resolve("recording.jfr");
      recording.dump(file);
      List<RecordedEvent> events =
          RecordingFile.readAllEvents(file).stream().filter(NettyEventsTest::isOurs).toList();
      assertThat(events.stream().map(event -> event.getEventType().getName()))
          .containsExactlyInAnyOrder(
              "io.netty.AllocateBuffer",
              "io.netty.ReallocateBuffer",
              "io.netty.AllocateBuffer",
              "io.netty.FreeBuffer");
      assertThat(events)
          .anySatisfy(
              event -> {
                assertThat(event.getEventType().getName()).isEqualTo("io.netty.AllocateBuffer");
                assertThat(event.getInt("size")).isEqualTo(100);
                assertThat(event.getInt("maxFastCapacity")).isEqualTo(100);
                assertThat(event.getInt("maxCapacity")).isEqualTo(1000);
                assertThat(event.getBoolean("direct")).isTrue();
                assertThat(event.getLong("address")).isEqualTo(address);
                assertThat(event.getBoolean("chunkPooled")).isTrue();
                assertThat(event.getBoolean("chunkThreadLocal")).isFalse();
                assertThat(event.getClass("allocatorType").getName())
                    .isEqualTo(OffcutByteBufAllocator.class.getName());
              })
          .anySatisfy(
              event -> {
                assertThat(event.getEventType().getName()).isEqualTo("io.netty.ReallocateBuffer");
                assertThat(event.getInt("size")).isEqualTo(100);
                assertThat(event.getInt("newCapacity")).isEqualTo(200);
              })
          .anySatisfy(
              event -> {
                assertThat(event.getEventType().getName()).isEqualTo("io.netty.FreeBuffer");
                assertThat(event.getInt("size")).isEqualTo(200);
              });
    }
    allocator.close();
    pool.close();
  }

  @Test
  void recording_thatDoesNotAskForThem_hasNone() throws Exception {
    try (Recording recording = new Recording()) {
      recording.start();
      allocator.directBuffer(100).release();
      recording.stop();
      Path file = folder.resolve("recording.jfr");
      recording.dump(file);
      assertThat(RecordingFile.readAllEvents(file)).noneMatch(NettyEventsTest::isOurs);
    }
    allocator.close();
    pool.close();
  }
}
