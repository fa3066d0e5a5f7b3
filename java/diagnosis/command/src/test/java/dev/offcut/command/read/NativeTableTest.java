package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.offcut.command.read.NativeCallers.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table with known contents, which {@code write_golden.c} of the sampler's tests writes. */
class NativeTableTest {
  private static final Path GOLDEN = Path.of("../native/test/golden.table");

  @TempDir private Path folder = Path.of("");

  @Test
  void read_golden_isWhatWasWritten() throws Exception {
    NativeTable table = NativeTable.read(GOLDEN);
    NativeTable.Stack first = table.stacks().getFirst();
    assertThat(first.frames())
        .extracting(NativeTable.Frame::type, NativeTable.Frame::method, NativeTable.Frame::line)
        .containsExactly(tuple("app.Engine", "open", 42), tuple("app.App", "main", 7));
    assertThat(first.frames().getFirst().isNative()).isTrue();
    assertThat(first.isMalloc()).isTrue();
    assertThat(first.allocatedBytes()).isEqualTo(5_000_000);
    assertThat(first.elsewhere()).isEqualTo(500_000);
    assertThat(first.freers())
        .extracting(NativeTable.Freer::ofCollector, NativeTable.Freer::bytes)
        .containsExactly(tuple(false, 1_000_000L), tuple(true, 500_000L));
    assertThat(first.live()).extracting(NativeTable.Live::bytes).contains(524_288L, 100L);
    NativeTable.Stack second = table.stacks().get(1);
    assertThat(second.isMalloc()).isFalse();
    assertThat(table.regions())
        .singleElement()
        .extracting("stack", "bytes")
        .containsExactly(2, 65_536L);
    assertThat(table.rows()).hasSize(1);
    assertThat(table.rows().getFirst().peak()).isEqualTo(2 << 20);
    assertThat(table.rows().getFirst().points())
        .containsExactly(new NativeTable.Point(3, 1 << 20), new NativeTable.Point(4, 2 << 20));
  }

  @Test
  void rows_ofGolden_nameTheProgramsLine() throws Exception {
    NativeCallers callers = NativeRows.of(NativeTable.read(GOLDEN), file -> file);
    Place place = callers.places().getFirst();
    assertThat(place.own()).isEqualTo("app.App.main(App.java:7)");
    assertThat(place.ended().late()).isEqualTo(500_000);
    assertThat(place.ended().inTime()).isEqualTo(1_500_000);
    assertThat(Json.record(NativeCallers.class, Json.parse(Json.text("a/1", callers), "a/1")))
        .isEqualTo(callers);
  }

  /** Of two rows one may have the newest second, and the other not yet. */
  @Test
  void at_aSecondThatIsNotWrittenYet_isTheLastValue() {
    TreeMap<Long, Long> values = new TreeMap<>(Map.of(3L, 10L, 4L, 20L));
    assertThat(NativeRows.at(values, 2)).isZero();
    assertThat(NativeRows.at(values, 4)).isEqualTo(20);
    assertThat(NativeRows.at(values, 5)).isEqualTo(20);
  }

  @Test
  void read_cutOffOrChanged_isRefusedOrReadInBounds() throws IOException {
    byte[] whole = Files.readAllBytes(GOLDEN);
    Random random = new Random(7);
    Path file = folder.resolve("1.native");
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes =
          i % 2 == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
      if (i % 2 == 1) {
        bytes[random.nextInt(4096)] = (byte) random.nextInt();
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Files.write(file, bytes);
      try {
        NativeRows.of(NativeTable.read(file), path -> path);
      } catch (Failure e) {
        assertThat(e.sentence()).contains("1.native");
      }
    }
    Files.write(file, new byte[100]);
    assertThatThrownBy(() -> NativeTable.read(file))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("1.native");
  }
}
