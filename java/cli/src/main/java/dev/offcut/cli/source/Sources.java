package dev.offcut.cli.source;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** What stands for SRC: the PID of a program, a recording, or a directory of recordings. */
public final class Sources {
  private static final int MOST_TURNS = 40;
  private static final long TURN_MILLIS = 100;

  private Sources() {}

  /** Reads all that it says by now. */
  public static Reading read(String source) throws Failure {
    if (isPid(source)) {
      return ofProcess(pid(source));
    }
    Path path = path(source);
    if (Files.isDirectory(path)) {
      return Recordings.ofDirectory(path, false);
    }
    if (!Files.exists(path)) {
      throw Failure.unreadable(
          "there is no "
              + source
              + "; SRC is a PID (`offcut ps` lists them), a recording or a directory of recordings");
    }
    return Recordings.ofFile(path);
  }

  /**
   * What is recorded is written once a second: of one that has just begun there is soon something.
   */
  private static Reading ofProcess(long pid) throws Failure {
    for (int turn = 0; ; turn++) {
      try {
        return Recordings.ofDirectory(Jvm.withAgent(pid).repository(), true);
      } catch (Failure e) {
        if (e.exitCode() != Failure.UNREADABLE || turn == MOST_TURNS || !pause()) {
          throw e;
        }
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(TURN_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether it stands for a process. A file of that name is told apart by a ./ before it. */
  public static boolean isPid(String source) {
    return !source.isEmpty() && source.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** The process that it stands for. */
  public static long pid(String source) throws Failure {
    try {
      if (isPid(source)) {
        return Long.parseLong(source);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw Failure.unreachable(source + " is no PID; `offcut ps` lists them");
  }

  private static Path path(String source) throws Failure {
    try {
      return Path.of(source);
    } catch (InvalidPathException e) {
      throw Failure.unreadable(source + " is no PID and no file's name");
    }
  }
}
