package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.CommandProcess.Ended;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What killed commands and programs left, and who removes it. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class CleanTest {
  private final FileTime hoursAgo = FileTime.from(Instant.now().minus(Duration.ofHours(5)));

  @TempDir private Path folder = Path.of("");
  @TempDir private Path temporary = Path.of("");

  private CommandProcess offcut = new CommandProcess(folder, Map.of());

  @BeforeEach
  void look() {
    offcut =
        new CommandProcess(folder, Map.of("XDG_RUNTIME_DIR", ""), "-Djava.io.tmpdir=" + temporary);
  }

  private static long ended() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(temporary.resolve(name));
  }

  /** With a file of five bytes. */
  private Path old(Path made) throws IOException {
    Path file = Files.writeString(made.resolve("heap.hprof"), "bytes");
    Files.setLastModifiedTime(file, hoursAgo);
    Files.setLastModifiedTime(made, hoursAgo);
    return made;
  }

  private Path tables(long pid, FileTime written) throws IOException {
    Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Path file = Files.writeString(folder("offcut-" + uid).resolve(pid + ".tables"), "tables");
    Files.setLastModifiedTime(file, written);
    return file;
  }

  @Test
  void clean_removesWhatKilledOnesLeft_andNothingElse() throws Exception {
    long pid = ended();
    Path run = old(folder("offcut-run-" + pid + "-a1"));
    Path tables = tables(pid, hoursAgo);
    Path sampler = Files.writeString(tables.resolveSibling(pid + ".native"), "samples");
    Files.setLastModifiedTime(sampler, hoursAgo);
    // Of an agent in a container: it writes each second, also after this line.
    Path recent = tables(pid + 1, FileTime.from(Instant.now().plus(Duration.ofHours(1))));
    Path open = tables(ProcessHandle.current().pid(), FileTime.from(Instant.now()));
    Path command = old(folder("offcut-tmp-" + pid));
    Path running = old(folder("offcut-run-" + ProcessHandle.current().pid() + "-a2"));
    Path foreign = old(folder("offcut-runs-" + pid + "-a1"));
    Ended dry = offcut.run("clean", "--dry-run");
    assertThat(dry.exitCode()).isZero();
    assertThat(dry.out().replaceAll(" +", " "))
        .startsWith("SIZE AGE WOULD REMOVE\n")
        .contains("5 B 5 h " + run + " (a run whose command was killed)\n")
        .contains("6 B 5 h " + tables + " (tables of a program)\n");
    assertThat(dry.out()).contains(command + " (temporary files of a command)");
    assertThat(Stream.of(run, command, tables, sampler)).allMatch(Files::exists);
    Ended clean = offcut.run("clean");
    assertThat(clean.exitCode()).as(clean.err()).isZero();
    assertThat(clean.out()).isEqualTo(dry.out().replace("WOULD REMOVE", "REMOVED"));
    assertThat(Stream.of(run, command, tables, sampler)).noneMatch(Files::exists);
    assertThat(Stream.of(recent, open, running, foreign)).allMatch(Files::exists);
    Ended again = offcut.run("clean");
    assertThat(again.out()).isEmpty();
    assertThat(again.err()).isEqualTo("offcut: nothing to remove\n");
  }

  /** The PID is that of this process, which began long after the file was written. */
  @Test
  void clean_removesTablesWhosePidIsAnothersNow() throws Exception {
    Path tables = tables(ProcessHandle.current().pid(), hoursAgo);
    assertThat(offcut.run("clean").out()).contains("" + tables);
    assertThat(tables).doesNotExist();
  }

  @Test
  void clean_leavesTheRunOfAProgramThatGoesOn() throws Exception {
    Path run = folder("offcut-run-" + ended() + "-a1");
    Path tables = Files.createDirectory(run.resolve("tables")).resolve("1.tables");
    Files.writeString(tables, "of a process that has ended or lives");
    old(run);
    assertThat(offcut.run("clean").err()).isEqualTo("offcut: nothing to remove\n");
    Files.setLastModifiedTime(tables, hoursAgo);
    Files.move(tables, tables.resolveSibling(ended() + ".tables"));
    assertThat(offcut.run("clean").out()).contains("" + run);
  }

  /** Nobody is led out of the folder of temporary files. */
  @Test
  void clean_followsNoLinks() throws Exception {
    Path own = old(folder("own"));
    Path left = old(folder("offcut-run-" + ended() + "-a1"));
    Files.createSymbolicLink(left.resolve("link"), own);
    Files.setLastModifiedTime(left, hoursAgo);
    Files.createSymbolicLink(temporary.resolve("offcut-run-" + ended() + "-a2"), own);
    assertThat(offcut.run("clean").out()).contains("" + left).doesNotContain("-a2");
    assertThat(left).doesNotExist();
    assertThat(own.resolve("heap.hprof")).exists();
  }

  /** A dump has the program's data, and a library has 60 MB: nobody waits for `clean`. */
  @Test
  void eachCommand_removesTheFoldersOfCommandsThatWereKilled() throws Exception {
    Path left = old(folder("offcut-tmp-" + ended() + "-a1"));
    Path launchers = old(folder("offcut-tmp-" + ended()));
    Path running = old(folder("offcut-tmp-" + ProcessHandle.current().pid() + "-a1"));
    offcut.run("ps");
    assertThat(left).doesNotExist();
    assertThat(launchers).doesNotExist();
    assertThat(running).exists();
  }

  /** In a container, the PID of a command that lives is that of nobody here. */
  @Test
  void eachCommand_leavesTheFolderOfACommandThatHasItsLock() throws Exception {
    Path made = old(folder("offcut-tmp-" + ended() + "-a1"));
    try (FileChannel lock =
            FileChannel.open(
                made.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = lock.lock()) {
      Files.setLastModifiedTime(made, hoursAgo);
      offcut.run("ps");
      assertThat(made).exists();
    }
    offcut.run("ps");
    assertThat(made).doesNotExist();
  }

  /** Another process has its PID now, and its lock is free. */
  @Test
  void eachCommand_removesTheFolderOfAKilledCommand_whosePidIsAnothersNow() throws Exception {
    Path made = old(folder("offcut-tmp-" + ProcessHandle.current().pid() + "-a1"));
    Files.createFile(made.resolve("lock"));
    Files.setLastModifiedTime(made, hoursAgo);
    offcut.run("ps");
    assertThat(made).doesNotExist();
  }
}
