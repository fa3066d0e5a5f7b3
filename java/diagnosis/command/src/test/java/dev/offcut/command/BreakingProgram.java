package dev.offcut.command;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A program that dies while its recording is written: only its beginning is there. */
final class BreakingProgram {
  private BreakingProgram() {}

  /** {@code FORGET}: how many arenas. */
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Arena.ofConfined().allocate(1024);
    }
    Path chunks = Path.of(System.getProperty("jdk.jfr.repository"));
    Path recording =
        Objects.requireNonNull(chunks.getParent())
            .resolveSibling("recording-" + ProcessHandle.current().pid() + ".jfr");
    TimeUnit.SECONDS.sleep(2); // the agent publishes what was opened
    Files.write(recording, new byte[] {'F', 'L', 'R', 0, 0, 2});
    Runtime.getRuntime().halt(137);
  }
}
