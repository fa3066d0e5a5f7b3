package dev.offcut.resident;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which program a process runs, and whether it ends. While a process ends, its threads and its
 * memory go one after the other, but the files that tell of them can still be read.
 *
 * @param start when the process began, in ticks of the system's clock
 * @param stack where its first stack begins; changes when the process runs another program. 0 if
 *     nobody may know
 */
record ProcessState(long start, long stack, boolean isEnding) {
  /** Places in the file, counted from the one behind the name, which is the state. */
  private static final int FLAGS = 6;

  private static final int START = 19;
  private static final int STACK = 25;
  private static final int PENDING = 28;

  /** The first thread has begun to end. */
  private static final long EXITING = 4;

  /** The system sends this signal to all other threads when one ends the process. */
  private static final long SIGKILL = 1L << 8;

  /** Fails if there is no such process. */
  static ProcessState of(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    // A name may have blanks and brackets in it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    boolean isEnding =
        fields[0].equals("Z")
            || fields[0].equals("X")
            || (Long.parseLong(fields[FLAGS]) & EXITING) != 0
            || (Long.parseLong(fields[PENDING]) & SIGKILL) != 0;
    return new ProcessState(
        Long.parseLong(fields[START]), Long.parseUnsignedLong(fields[STACK]), isEnding);
  }

  /** Whether this is the same process, runs the same program, and does not end. */
  boolean goesOnFrom(ProcessState before) {
    return !isEnding && start == before.start && stack == before.stack;
  }
}
