package dev.offcut.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.cli.source.Sources.LiveStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveStreamTest {
  @TempDir private Path folder = Path.of("");

  /** Where this JVM's recorder writes. */
  private static Path repository() {
    return Path.of(System.getProperty("jdk.jfr.repository"));
  }

  @Test
  void stream_thatIsOpenedBeforeItsDirectoryIsThere_hearsWhatIsRecorded() throws Exception {
    Path link = folder.resolve("repository");
    CountDownLatch heard = new CountDownLatch(1);
    try (LiveStream _ = new LiveStream(link, () -> null, digest -> heard.countDown());
        Recording recording = new Recording(Configuration.getConfiguration("default"))) {
      Thread.sleep(300);
      recording.start();
      Files.createSymbolicLink(link, repository());
      assertThat(heard.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }
}
