package dev.offcut.agent.publish;

import dev.offcut.agent.Presence;
import dev.offcut.agent.Tracking;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Lets {@code offcut run} look at the program's memory a last time, when the program is done and
 * its process still there. They talk by empty files in a folder, named after the process: {@code
 * started} and {@code ending} are the agent's, {@code accounted} is the answer. The file {@code
 * owner} has the PID of whoever answers.
 */
public final class ExitAccount implements Runnable {
  /** The program waits no longer. A busy machine may need as long: that JVM begins, too. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final long STEP_MILLIS = 10;

  /** Steps from one look at whether anybody will answer, or asks himself, to the next. */
  private static final int SELDOM = 10;

  private final Path folder;
  private final String pid;

  public ExitAccount(Path folder, String pid) {
    this.folder = folder;
    this.pid = pid;
  }

  /** Says that the program began, and that it ends when it does. */
  public static void waitFor(String folder) {
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

  /** Whether there is somebody who will answer. To ask the JDK would cost 10 ms of CPU. */
  private boolean isOwnerThere() throws IOException {
    File file = folder.resolve("owner").toFile();
    if (!file.exists()) {
      return false;
    }
    // A channel would take a direct buffer, which is one more that is open, and make the JDK load
    // that of sockets, which a rule rewrites.
    try (RandomAccessFile content = new RandomAccessFile(file, "r")) {
      return Files.exists(Path.of("/proc", String.valueOf(content.readLine())));
    }
  }

  @Override
  public void run() {
    Tracking tracking = Tracking.installed();
    try {
      if (tracking != null) {
        Ledger.settleAtExit(tracking); // counts, samples and the account are of one moment
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      // whoever publishes the counts says what is wrong
    }
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
      // A File asks the system at once. All else of this runs in the interpreter, at each step.
      File answer = folder.resolve(pid + "." + answered).toFile();
      long began = System.nanoTime(); // no deadline: it could overflow
      for (int step = 0; !answer.exists() && System.nanoTime() - began < most; step++) {
        if (step % SELDOM == 0) {
          Watch.answerNow();
          if (!isOwnerThere()) {
            return false;
          }
        }
        TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      }
    } catch (IOException | RuntimeException e) {
      // Nobody asks any more, or a SecurityManager forbids to look.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }
}
