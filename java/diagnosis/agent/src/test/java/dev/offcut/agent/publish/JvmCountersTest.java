package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JvmCountersTest {
  private static final int HEADER = 32;
  private static final int ENTRY = 64;
  private static final int NAME_AT = 20;
  private static final int DATA_AT = 56;

  private final ByteBuffer memory =
      ByteBuffer.allocate(HEADER + 4 * ENTRY).order(ByteOrder.nativeOrder()).putInt(24, HEADER);

  private int count;

  /** One that the JVM has promised, and not written. */
  private int promise() {
    memory.putInt(28, count + 1);
    return HEADER + ENTRY * count++;
  }

  private void write(int at, String name, long value) {
    memory.put(at + NAME_AT, name.getBytes(StandardCharsets.US_ASCII));
    memory.putInt(at + 4, NAME_AT).putInt(at + 16, DATA_AT).putLong(at + DATA_AT, value);
    memory.putInt(at, ENTRY);
  }

  @Test
  void counters_thatTheJvmAddsLater_areFound() {
    JvmCounters counters = new JvmCounters();
    write(promise(), "sun.os.hrt.frequency", 1_000);
    counters.look(memory);
    assertThat(counters.pauses).isEqualTo(-1);

    int late = promise();
    counters.look(memory);
    write(late, "sun.gc.collector.0.invocations", 3);
    write(promise(), "sun.gc.collector.0.time", 2_000);
    counters.look(memory);
    assertThat(counters.pauses).isEqualTo(3);
    assertThat(counters.pauseNanos).isEqualTo(2_000_000_000L);
  }
}
