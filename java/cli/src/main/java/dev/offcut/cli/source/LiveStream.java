package dev.offcut.cli.source;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.digest.DigestBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import jdk.jfr.consumer.EventStream;

/**
 * The events of a program while it runs, from the directory that its Flight Recorder writes to, a
 * second late. Events come on a thread of its own. Closing it ends that.
 */
public final class LiveStream implements AutoCloseable {
  private final DigestBuilder builder = new DigestBuilder();
  private final EventStream events;

  /**
   * Begins, with what was recorded before.
   *
   * @param heard is given what is known, each time that the program flushed
   */
  public LiveStream(Path repository, Consumer<Digest> heard) throws IOException {
    events = EventStream.openRepository(repository);
    events.setReuse(true);
    events.setOrdered(true);
    events.setStartTime(Instant.EPOCH);
    events.onEvent(builder::take);
    events.onFlush(() -> heard.accept(builder.digest(false)));
    events.startAsync();
  }

  @Override
  public void close() {
    events.close();
  }
}
