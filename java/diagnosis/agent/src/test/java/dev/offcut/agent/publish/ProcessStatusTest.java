package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ProcessStatusTest {
  private static final int MANY = 200;

  @TempDir private Path folder = Path.of("");

  @Test
  void now_countsWhatIsOpen() throws IOException {
    File file = Files.createTempFile(folder, "open", "").toFile();
    long before = ProcessStatus.now().descriptors;
    List<FileInputStream> open = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        open.add(new FileInputStream(file));
      }
      assertThat(ProcessStatus.now().descriptors - before).isBetween(MANY - 20L, MANY + 20L);
    } finally {
      for (FileInputStream one : open) {
        one.close();
      }
    }
  }

  @Test
  void now_partsAddUpToResident() {
    ProcessStatus now = ProcessStatus.now();
    assertThat(now.threads).isPositive();
    assertThat(now.anonymous).isPositive();
    assertThat(now.anonymous + now.ofFiles).isLessThanOrEqualTo(now.resident);
  }
}
