package dev.offcut.cli.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpFoldersTest {
  private final FileTime hoursAgo = FileTime.from(Instant.now().minus(Duration.ofHours(5)));

  @TempDir private Path temporary = Path.of("");

  private Path left(long pid, FileTime changed) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("offcut-heap-" + pid + "-1"));
    Path dump = Files.writeString(folder.resolve("heap.hprof"), "secret");
    Files.setLastModifiedTime(dump, changed);
    Files.setLastModifiedTime(folder, hoursAgo);
    return folder;
  }

  private static long ended() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  @Test
  void make_deletesWhatACommandLeftThatWasKilled() throws Exception {
    Path left = left(ended(), hoursAgo);
    Path made = DumpFolders.make(temporary);
    assertThat(left).doesNotExist();
    assertThat(made).isEmptyDirectory();
    assertThat(String.valueOf(made.getFileName()))
        .startsWith("offcut-heap-" + ProcessHandle.current().pid() + "-");
  }

  @Test
  void make_leavesWhatIsInUse() throws Exception {
    Path running = left(ProcessHandle.current().pid(), hoursAgo);
    Path recent = left(ended(), FileTime.from(Instant.now()));
    Path other = Files.createDirectory(temporary.resolve("offcut-heap-of-somebody"));
    DumpFolders.make(temporary);
    assertThat(running.resolve("heap.hprof")).exists();
    assertThat(recent.resolve("heap.hprof")).exists();
    assertThat(other).exists();
  }

  /** Nobody is led out of the folder of temporary files. */
  @Test
  void make_followsNoLinks() throws Exception {
    Path own = Files.createDirectory(temporary.resolve("own"));
    Path file = Files.writeString(own.resolve("file"), "mine");
    Files.setLastModifiedTime(file, hoursAgo);
    Path folder = left(ended(), hoursAgo);
    Files.createSymbolicLink(temporary.resolve("offcut-heap-" + ended() + "-2"), own);
    Files.deleteIfExists(folder.resolve("heap.hprof"));
    DumpFolders.make(temporary);
    assertThat(file).exists();
  }
}
