package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a program that waits for somebody who looks at its objects. */
@EnabledOnOs(OS.LINUX)
class LastLookTest {
  private static final int EXIT_CODE = 7;

  /** Of the header of tables: not 0 when the program has ended. */
  private static final int STATE_AT = 40;

  @TempDir private Path folder = Path.of("");

  /** Closes something in a hook, which takes longer than the agent's own. */
  static final class Program {
    private Program() {}

    /** The file that says that the hook is done. */
    public static void main(String[] args) {
      Thread hook = new Thread(() -> close(Path.of(args[0])));
      Runtime.getRuntime().addShutdownHook(hook);
      System.exit(EXIT_CODE);
    }

    private static void close(Path file) {
      try {
        Thread.sleep(700);
        Files.createFile(file);
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void end_waitsForItBehindTheHooks_withTheLastTables(int version) throws Exception {
    Path accounts = Files.createDirectory(folder.resolve("accounts"));
    Path tables = Files.createDirectory(folder.resolve("tables"));
    Path done = folder.resolve("done");
    Files.writeString(accounts.resolve("owner"), String.valueOf(ProcessHandle.current().pid()));
    Process program =
        AgentJvm.of(version)
            .and(
                AgentJvm.agent(
                    "level=count,quiet=on,account=" + accounts + ",holders=600,tables=" + tables))
            .classPath(AgentJvm.classes())
            .and(Program.class.getName(), done)
            .start();
    try {
      // Nobody answers who wants an account: it waits for that as long as a busy machine may need.
      Files.createFile(accounts.resolve(program.pid() + ".accounted"));
      Path asked = accounts.resolve(program.pid() + ".holding");
      Await.until("it asks", () -> Files.exists(asked) || !program.isAlive());
      if (!Files.exists(asked)) {
        throw new AssertionError(
            "ended: "
                + new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
      }
      assertThat(done).exists();
      assertThat(Files.readAllBytes(tables.resolve(program.pid() + ".tables"))[STATE_AT])
          .isNotZero();
      assertThat(program.waitFor(500, TimeUnit.MILLISECONDS)).as("ended").isFalse();
      Files.createFile(accounts.resolve(program.pid() + ".held"));
      Await.until("its end", () -> !program.isAlive());
      assertThat(program.exitValue()).isEqualTo(EXIT_CODE);
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {60_000_000_000L, Long.MAX_VALUE})
  void run_whoseOwnerIsKilled_deletesTheDump(long nanos) throws Exception {
    Process owner = new ProcessBuilder("sleep", "60").start();
    Files.writeString(folder.resolve("owner"), String.valueOf(owner.pid()));
    Path its = Files.createDirectory(folder.resolve("123.heap"));
    Files.createFile(its.resolve("heap.hprof"));
    Files.createFile(its.resolve("heap.hprof.p0"));
    Thread program = new Thread(new LastLook(folder, "123", nanos));
    program.start();
    while (program.getState() != Thread.State.TIMED_WAITING && program.isAlive()) {
      Thread.onSpinWait(); // until it has seen that the owner is there
    }
    assertThat(its.resolve("heap.hprof")).exists();
    owner.destroyForcibly();
    program.join();
    assertThat(its).doesNotExist();
  }

  @Test
  void run_thatIsAnswered_leavesTheDumpToWhoReadsIt() throws Exception {
    Path its = Files.createDirectory(folder.resolve("123.heap"));
    Files.createFile(its.resolve("heap.hprof"));
    Files.createFile(folder.resolve("123.held"));
    new LastLook(folder, "123", TimeUnit.SECONDS.toNanos(60)).run();
    try (Stream<Path> files = Files.list(its)) {
      assertThat(files).hasSize(1);
    }
  }
}
