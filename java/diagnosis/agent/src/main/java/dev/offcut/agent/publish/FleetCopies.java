package dev.offcut.agent.publish;

import dev.offcut.agent.Messages;
import dev.offcut.agent.Tracking;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * Puts copies of the tables into a fleet, whose readers take them in. Each says everything from the
 * program's start, so the last one counts. A thread of its own writes them: the folder may be on
 * another machine, which may not answer.
 *
 * <p>The callers hold the lock of {@link Tables}.
 */
final class FleetCopies implements Runnable {
  private static final String FOLDER = "incoming";

  /** At the program's end: so long for a folder that does not answer. */
  private static final long PATIENCE_MILLIS = 10_000;

  private final Tracking.Fleet fleet;
  private final String process;
  private long lastMillis;

  /** What is written now; handed over by the start of the thread, and back by its end. */
  private byte[] bytes = new byte[0];

  private @Nullable Thread writing;
  private int number;
  private @Nullable Path last;
  private @Nullable Path lastButOne;
  private boolean failed;

  FleetCopies(Tracking.Fleet fleet, long pid, long nowMillis) {
    this.fleet = fleet;
    this.process = pid + "-" + nowMillis + "-";
    lastMillis = nowMillis;
  }

  /** Whether it is time for a copy, and the one before is written. */
  boolean isDue(long nowMillis) {
    return nowMillis - lastMillis >= fleet.everyMillis() && (writing == null || !writing.isAlive());
  }

  /** Begins to write a copy. */
  void put(byte[] copy, long nowMillis) {
    bytes = copy;
    lastMillis = nowMillis;
    Thread thread = new Thread(null, this, Tables.NAME, 0, false);
    thread.setDaemon(true);
    writing = thread;
    thread.start();
  }

  /** Writes the last copy, and waits for it. */
  void end(byte[] copy, long nowMillis) {
    if (await()) {
      put(copy, nowMillis);
      if (await()) {
        return;
      }
    }
    Messages.say(fleet.folder() + " does not answer, so the fleet lacks the last counts");
  }

  private boolean await() {
    Thread thread = writing;
    try {
      if (thread != null) {
        thread.join(PATIENCE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return thread == null || !thread.isAlive();
  }

  /** The one before stays until the next: somebody may be reading it. */
  @Override
  public void run() {
    try {
      Path place = folder().resolve(process + ++number + TableFolder.ENDING);
      Path begun = place.resolveSibling("." + place.getFileName());
      try {
        // No channel: it would take direct memory.
        try (FileOutputStream out = new FileOutputStream(begun.toFile())) {
          out.write(bytes);
        }
        Files.move(begun, place, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(begun);
      }
      if (lastButOne != null) {
        Files.deleteIfExists(lastButOne);
      }
      lastButOne = last;
      last = place;
    } catch (IOException | RuntimeException e) {
      if (!failed) {
        Messages.say("the fleet " + fleet.folder() + " cannot be written to (" + e + ")");
      }
      failed = true;
    }
  }

  private Path folder() throws IOException {
    String host = fleet.host();
    try {
      return Files.createDirectories(
          Path.of(
              fleet.folder(),
              FOLDER,
              "service=" + fleet.service(),
              "version=" + fleet.version(),
              "host=" + (host == null ? InetAddress.getLocalHost().getHostName() : host)));
    } catch (InvalidPathException e) {
      throw new IOException(e);
    }
  }
}
