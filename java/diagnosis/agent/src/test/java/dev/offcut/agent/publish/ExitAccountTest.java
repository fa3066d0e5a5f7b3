package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ExitAccountTest {
  private static final long SOON = 3_000;

  /** A program that nobody will answer has ended by then. */
  private static final long LATE = 1_000;

  @TempDir private Path folder = Path.of("");

  /** Ends as a program does. */
  private Thread end() {
    Thread program = new Thread(new ExitAccount(folder, "123"));
    program.start();
    return program;
  }

  /** Whether it ends within so many ms. */
  private static boolean ends(Thread program, long millis) throws InterruptedException {
    program.join(millis);
    return !program.isAlive();
  }

  private void owner(Process process) throws IOException {
    Files.writeString(folder.resolve("owner"), String.valueOf(process.pid()));
  }

  @Test
  void run_whoseOwnerWasKilledBefore_doesNotWait() throws Exception {
    Process owner = new ProcessBuilder("sleep", "60").start();
    owner(owner);
    owner.destroyForcibly().waitFor();
    assertThat(new ExitAccount(folder, "123").ask("ending", "accounted", Long.MAX_VALUE)).isFalse();
  }

  @Test
  void run_withoutAnOwner_doesNotWait() {
    assertThat(new ExitAccount(folder, "123").ask("ending", "accounted", Long.MAX_VALUE)).isFalse();
  }

  @Test
  void run_whileItsOwnerIsAlive_waitsForTheAnswer() throws Exception {
    Process owner = new ProcessBuilder("sleep", "60").start();
    try {
      owner(owner);
      Thread program = end();
      assertThat(ends(program, LATE)).isFalse();
      assertThat(folder.resolve("123.ending")).exists();
      Files.createFile(folder.resolve("123.accounted"));
      assertThat(ends(program, SOON)).isTrue();
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void run_whoseOwnerIsKilled_waitsNoLonger() throws Exception {
    Process owner = new ProcessBuilder("sleep", "60").start();
    owner(owner);
    Thread program = end();
    assertThat(ends(program, 300)).isFalse();
    owner.destroyForcibly();
    assertThat(ends(program, SOON)).isTrue();
  }

  @Test
  void run_whoseFolderGoes_waitsNoLonger() throws Exception {
    Path its = Files.createDirectory(folder.resolve("its"));
    Thread program = new Thread(new ExitAccount(its, "123"));
    program.start();
    while (!Files.exists(its.resolve("123.ending"))) {
      Thread.onSpinWait();
    }
    Files.delete(its.resolve("123.ending"));
    Files.delete(its);
    assertThat(ends(program, SOON)).isTrue();
  }
}
