package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.agent.hooks.Recorded;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where recordings go, and what is not written over. */
class RecorderTest {
  private static final long PID = ProcessHandle.current().pid();

  @TempDir private Path folder = Path.of("");

  private Path claim(String name) throws Exception {
    return Recorder.claim(folder.resolve(name).toString());
  }

  @Test
  void fileThatIsThere_isNotReplaced() throws Exception {
    assertThat(claim("a-%p.jfr")).exists().hasFileName("a-" + PID + ".jfr");
    assertThat(claim("a.jfr")).exists();
    assertThat(claim("a.jfr")).exists().hasFileName("a." + PID + ".jfr");
    assertThatThrownBy(() -> claim("a.jfr")).isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void secondJvm_recordsIntoAnotherFile(@TempDir Path both) throws Exception {
    Recorded first = Recorded.run(both, "level=count", 1, 10, "unsafe");
    assertThat(first.output.said()).isEmpty();
    Path file = both.resolve("recording.jfr");
    byte[] before = Files.readAllBytes(file);
    Recorded second = Recorded.run(both, "level=count", 1, 20, "unsafe");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    String said = second.output.said().get(0);
    String begin = "offcut: " + file + " exists already; this JVM is recorded into ";
    assertThat(said).startsWith(begin);
    Path other = Path.of(said.substring(begin.length()));
    long opened = 0;
    for (RecordedEvent event : Recorded.read(other)) {
      if (event.getEventType().getName().equals("offcut.ResourceStatistics")
          && event.getString("kind").equals("unsafe")) {
        opened = Math.max(opened, event.getLong("opened"));
      }
    }
    assertThat(opened).isEqualTo(30);
  }
}
