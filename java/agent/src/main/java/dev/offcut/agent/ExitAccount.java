package dev.offcut.agent;

import dev.offcut.agent.track.Tracking;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets {@code offcut run} look at the program's memory a last time, when the program is done and
 * its process still there. They talk by empty files in a folder, named after the process: {@code
 * started} and {@code ending} are the agent's, {@code accounted} is the answer. The file {@code
 * owner} has the PID of whoever answers.
 */
final class ExitAccount implements Runnable {
  /** After that the program ends, if it cannot see whether there is anybody who will answer. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** After that it ends anyway. A busy machine may need as long: that JVM begins, too. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final long STEP_MILLIS = 5;

  private final Path folder;
  private final String pid;

  ExitAccount(Path folder, String pid) {
    this.folder = folder;
    this.pid = pid;
  }

  /** Says that the program began, and that it ends when it does. */
  static void waitFor(String folder) {
    ExitAccount exit = new ExitAccount(Path.of(folder), String.valueOf(Presence.pid()));
    try {
      exit.say("started");
      Runtime.getRuntime().addShutdownHook(new Thread(null, exit, "offcut account", 0, false));
    } catch (IOException | RuntimeException e) {
      // Nobody asks any more, the program ends already, or a SecurityManager forbids it.
    }
  }

  private void say(String word) throws IOException {
    Files.createFile(folder.resolve(pid + "." + word));
  }

  /**
   * What is there as long as the process is that will answer; null if nobody says so, or it is in a
   * container of its own. To ask the JDK would cost 10 ms of CPU.
   */
  private @Nullable Path owner() throws IOException {
    Path file = folder.resolve("owner");
    if (!Files.exists(file)) {
      return null;
    }
    Path owner;
    // A channel would take a direct buffer, which is one more that is open.
    try (InputStream in = new FileInputStream(file.toFile())) {
      owner = Path.of("/proc", new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    }
    return Files.exists(owner) ? owner : null;
  }

  @Override
  public void run() {
    ask("ending", "accounted", MOST_NANOS);
  }

  /**
   * Says a word, and waits for the answer.
   *
   * @param most how long, if there is somebody who will answer
   * @return false if whoever was to answer has gone
   */
  boolean ask(String word, String answered, long most) {
    try {
      say(word);
      Path answer = folder.resolve(pid + "." + answered);
      Path owner = owner();
      long until = System.nanoTime() + (owner == null ? PATIENCE_NANOS : most);
      boolean isThere = true;
      while (isThere && !Files.exists(answer) && System.nanoTime() < until) {
        Tracking.answerNow();
        TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        isThere = Files.exists(folder) && (owner == null || Files.exists(owner));
      }
      return isThere;
    } catch (IOException | RuntimeException e) {
      // Nobody asks any more, or a SecurityManager forbids to look.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }
}
