package dev.offcut.command.run;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.Sources.LiveTables;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks at a program that was just started, as soon as it publishes anything. Nothing that goes
 * wrong here keeps the program from running. Closing it ends that.
 */
final class Watch implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final Supplier<Optional<Path>> published;
  private final Function<Path, LiveTables> opening;
  private final Thread thread;

  /** {@code opening}: begins to look at what is published there. */
  Watch(Supplier<Optional<Path>> published, Function<Path, LiveTables> opening) {
    this.published = published;
    this.opening = opening;
    this.thread = Thread.ofVirtual().name("offcut watch").start(this::watch);
  }

  private void watch() {
    try {
      Path from = await();
      try (LiveTables _ = opening.apply(from)) {
        Thread.sleep(Duration.ofDays(Integer.MAX_VALUE));
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private Path await() throws InterruptedException {
    while (true) {
      Optional<Path> from = published.get();
      if (from.isPresent()) {
        return from.get();
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

  /** One line on a terminal, written anew each second. */
  static final class ProgressLine {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream err;
    private boolean shown;

    ProgressLine(PrintStream err) {
      this.err = err;
    }

    synchronized void show(Digest digest) {
      long seconds = Math.round(digest.target().seconds());
      long held = digest.kinds().stream().mapToLong(kind -> kind.bytes() + kind.lostBytes()).sum();
      long lost = digest.kinds().stream().mapToLong(Digest.Kind::lost).sum();
      long handles = digest.handles().stream().mapToLong(Digest.Handles::open).sum();
      err.print(
          CLEAR
              + "offcut: "
              + Figures.twoDigits(seconds / 60)
              + ":"
              + Figures.twoDigits(seconds % 60)
              + "  resident "
              + bytes(Math.max(0, digest.memory().resident()))
              + "  tracked "
              + bytes(held)
              + "  lost "
              + count(lost)
              + "  handles "
              + count(handles));
      err.flush();
      shown = true;
    }

    synchronized void clear() {
      if (shown) {
        err.print(CLEAR);
        err.flush();
        shown = false;
      }
    }
  }
}
