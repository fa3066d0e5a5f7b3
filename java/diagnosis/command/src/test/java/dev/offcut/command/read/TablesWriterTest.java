package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that the command writes are read as all others. */
class TablesWriterTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void ofGo_isReadAsAProgramThatCountedNothing() throws IOException, Failure {
    Path file = folder.resolve("1234.tables");
    Instant began = Instant.now().minusSeconds(5);
    TablesWriter.ofGo(file, 1234, null, List.of("./server", "-a", "ä ö"), began);
    Sources.Reading reading = Sources.read(file.toString());
    assertThat(reading.cutOff()).isFalse();
    Digest digest = reading.digest();
    assertThat(digest.target().pid()).isEqualTo(1234);
    assertThat(digest.target().command()).containsExactly("./server", "-a", "ä", "ö");
    assertThat(digest.target().runtime()).isEqualTo("Go");
    assertThat(digest.target().seconds()).isBetween(5.0, 60.0);
    assertThat(digest.coverage().watched()).isEmpty();
    assertThat(digest.limits()).hasSize(1);
  }
}
