package dev.offcut.command.read;

import dev.offcut.command.read.Sources.LiveStream;
import dev.offcut.test.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
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

  private static boolean waits() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(
            thread ->
                thread.getName().equals("offcut stream")
                    && thread.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void stream_thatIsOpenedBeforeItsDirectoryIsThere_hearsWhatIsRecorded() throws Exception {
    Path link = folder.resolve("repository");
    CountDownLatch heard = new CountDownLatch(1);
    try (LiveStream _ = new LiveStream(link, () -> null, digest -> heard.countDown());
        Recording recording = new Recording(Configuration.getConfiguration("default"))) {
      Await.until("the stream waits for its directory", LiveStreamTest::waits);
      recording.start();
      Files.createSymbolicLink(link, repository());
      Await.until("something is heard", () -> heard.getCount() == 0);
    }
  }
}
