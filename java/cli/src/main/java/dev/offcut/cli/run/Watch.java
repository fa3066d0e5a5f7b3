package dev.offcut.cli.run;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.source.LiveStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks at a program that was just started, as soon as its recorder has begun. Nothing that goes
 * wrong here keeps the program from running. Closing it ends that.
 */
final class Watch implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final Supplier<Optional<Path>> repository;
  private final Consumer<Digest> heard;
  private final Thread thread;

  Watch(Supplier<Optional<Path>> repository, Consumer<Digest> heard) {
    this.repository = repository;
    this.heard = heard;
    this.thread = Thread.ofVirtual().name("offcut watch").start(this::watch);
  }

  private void watch() {
    try {
      Path directory = await();
      try (LiveStream _ = new LiveStream(directory, heard)) {
        Thread.sleep(Duration.ofDays(Integer.MAX_VALUE));
      }
    } catch (InterruptedException e) {
      // closed
    } catch (IOException e) {
      // The directory went with its program; the recording has it all.
    }
  }

  private Path await() throws InterruptedException {
    while (true) {
      Optional<Path> directory = repository.get();
      if (directory.isPresent()) {
        return directory.get();
      }
      Thread.sleep(PERIOD);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
