package dev.offcut.agent.publish;

import dev.offcut.agent.Presence;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Lets {@code offcut run --holders} look at the program's objects when the program is done, its own
 * shutdown hooks included, and its process is still there. They talk as {@link ExitAccount} does:
 * the agent says {@code holding}, the answer is {@code held}.
 */
public final class LastLook implements Runnable {
  /** Behind the PID: where the command lets the JVM write its heap dump. */
  private static final String FOLDER = ".heap";

  private final Path folder;
  private final String pid;
  private final long nanos;

  public LastLook(Path folder, String pid, long nanos) {
    this.folder = folder;
    this.pid = pid;
    this.nanos = nanos;
  }

  /** From here on the program's end waits for it. {@code seconds}: no longer. */
  public static void waitFor(String folder, long seconds, Instrumentation instrumentation) {
    LastLook look =
        new LastLook(
            Path.of(folder), String.valueOf(Presence.pid()), TimeUnit.SECONDS.toNanos(seconds));
    try {
      LastStep.add(instrumentation, "offcut holders", look);
    } catch (RuntimeException e) {
      // The program ends already, or a SecurityManager forbids it.
    }
  }

  @Override
  public void run() {
    if (!new ExitAccount(folder, pid).ask("holding", "held", nanos)) {
      deleteDump();
    }
  }

  /** Whoever wanted it was killed: nobody else is to read it. */
  private void deleteDump() {
    Path its = folder.resolve(pid + FOLDER);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(its)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(its);
    } catch (IOException | RuntimeException e) {
      // There is none; or the JVM still writes it, and only this user can read it.
    }
  }
}
