package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Programs in a control group that the test makes below its own: with a budget none is killed.
 * Where no group can be made, the test says so, and what is left is {@link ContainerMemoryTest}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class BudgetContainerTest {
  private static final long MIB = 1 << 20;
  private static final long LIMIT = 192 * MIB;

  /** A small JVM, so that the limit is mostly the pools'. */
  private static final String[] OPTIONS = {
    "--enable-native-access=ALL-UNNAMED", "-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"
  };

  /** A group with a limit; it goes with the test. */
  private static final class Group implements AutoCloseable {
    final Path folder;
    private final boolean isSecond;

    private Group(Path folder, boolean isSecond) throws IOException {
      this.folder = folder;
      this.isSecond = isSecond;
      Files.writeString(
          folder.resolve(isSecond ? "memory.max" : "memory.limit_in_bytes"), String.valueOf(LIMIT));
    }

    /** Makes one, or aborts the test. */
    static Group make() throws IOException {
      List<String> tried = new ArrayList<>();
      for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        String path = line.substring(line.lastIndexOf(':') + 1);
        boolean isSecond = line.startsWith("0::");
        if (isSecond || line.contains(":memory:")) {
          Path parent = Path.of("/sys/fs/cgroup" + (isSecond ? "" : "/memory") + path);
          Path folder = parent.resolve("offcut-budget-" + ProcessHandle.current().pid());
          try {
            Files.createDirectory(folder);
          } catch (IOException e) {
            tried.add(e.toString());
            continue;
          }
          try {
            return new Group(folder, isSecond);
          } catch (IOException e) {
            tried.add(e.toString());
            Files.delete(folder);
          }
        }
      }
      return abort("no control group can be made here: " + tried);
    }

    /** A program in it: a shell enters it first, and becomes the JVM. */
    ChildJvm.Output run(int refusals, boolean hasBudget) throws Exception {
      return ChildJvm.with(OPTIONS)
          .program(BudgetProgram.class, refusals, hasBudget, 4 * LIMIT)
          .startedBy("sh", "-c", "echo $$ > " + folder + "/cgroup.procs; exec \"$@\"", "sh")
          .runToAnyEnd();
    }

    long kills() throws IOException {
      String file = isSecond ? "memory.events" : "memory.oom_control";
      for (String line : Files.readAllLines(folder.resolve(file))) {
        if (line.startsWith("oom_kill ")) {
          return Long.parseLong(line.substring("oom_kill ".length()));
        }
      }
      throw new AssertionError("no kills are counted in " + folder);
    }

    @Override
    public void close() throws IOException {
      Files.delete(folder);
    }
  }

  /** The refusals, each with the largest owner; nothing is left charged. */
  private static void assertRefused(ChildJvm.Output ended, int refusals) {
    assertThat(ended.exitCode()).as(ended.text()).isZero();
    assertThat(ended.value("refusals")).isEqualTo(String.valueOf(refusals));
    assertThat(ended.value("wrong")).as(ended.text()).isEqualTo("0");
    assertThat(ended.value("left")).isEqualTo("0");
  }

  @Test
  void programs_atTheLimit_areRefusedAndNotKilled() throws Exception {
    try (Group group = Group.make()) {
      for (int run = 0; run < 4; run++) {
        assertRefused(group.run(250, true), 250);
      }
      assertThat(group.kills()).isZero();
    }
  }

  /** The group is real: the same program without a budget does not come to its end. */
  @Test
  void program_withoutABudget_isKilled() throws Exception {
    try (Group group = Group.make()) {
      assertThat(group.run(1, false).exitCode()).isEqualTo(128 + 9);
      assertThat(group.kills()).isEqualTo(1);
    }
  }
}
