package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountedMappingsTest {
  private static final Path SELF = Path.of("/proc/self");
  private static final int MAPPED = 1_500;

  @TempDir private Path folder = Path.of("");

  private final List<MappedByteBuffer> kept = new ArrayList<>();

  /** Pages of a file that cannot become one mapping; every other one is touched. */
  private Path mapPages() throws IOException {
    Path file = folder.resolve("pages");
    long page = ProcessMemory.PAGE;
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      for (int i = 0; i < MAPPED; i++) {
        kept.add(channel.map(FileChannel.MapMode.READ_WRITE, 2L * i * page, page));
        if (i % 2 == 0) {
          kept.get(i).put(0, (byte) 1);
        }
      }
    }
    return file;
  }

  /** Of this process, whose figures are the same a moment later but for what it does meanwhile. */
  @Test
  void of_manyMappings_isWhatTheSystemSays() throws IOException {
    Path file = mapPages();
    try (ProcessMemory memory = new ProcessMemory(SELF)) {
      List<Mapping> counted = counted(memory);
      List<Mapping> told = Mapping.of(SELF);
      Map<Long, Long> pages =
          told.stream()
              .filter(mapping -> mapping.file().equals(file.toString()))
              .collect(Collectors.toMap(Mapping::start, Mapping::resident));
      assertThat(pages).hasSize(MAPPED);
      assertThat(counted)
          .filteredOn(mapping -> mapping.file().equals(file.toString()))
          .hasSize(MAPPED)
          .allSatisfy(
              mapping -> assertThat(mapping.resident()).isEqualTo(pages.get(mapping.start())));
      assertThat(sum(counted)).isBetween(sum(told) * 97 / 100, sum(told) * 103 / 100);
    }
    assertThat(kept).hasSize(MAPPED); // they are mapped until here
  }

  /** Not if the process has grown meanwhile: then smaps is read. */
  private static List<Mapping> counted(ProcessMemory memory) throws IOException {
    List<Mapping> counted = null;
    for (int tries = 0; counted == null && tries < 100; tries++) {
      counted = CountedMappings.of(SELF, memory);
    }
    return Objects.requireNonNull(counted);
  }

  private static long sum(List<Mapping> mappings) {
    // The heap grows while it is read.
    return mappings.stream().filter(Mapping::isFile).mapToLong(Mapping::resident).sum();
  }

  /** As with pages of zeros, or huge pages: the system counts others than are there. */
  @Test
  void of_aProcessWithOtherFigures_isLeftToTheSystem() throws IOException {
    mapPages();
    Files.copy(SELF.resolve("maps"), folder.resolve("maps"));
    Files.writeString(folder.resolve("status"), "VmRSS:\t   1000 kB\nRssAnon:\t 900 kB\n");
    Files.createSymbolicLink(folder.resolve("pagemap"), SELF.toRealPath().resolve("pagemap"));
    try (ProcessMemory memory = new ProcessMemory(folder)) {
      assertThat(CountedMappings.of(folder, memory)).isNull();
    }
  }

  @Test
  void of_fewMappings_isLeftToTheSystem() throws IOException {
    Files.writeString(folder.resolve("maps"), "7e10000000-7e10800000 rw-p 0 00:00 0 \n");
    Files.createSymbolicLink(folder.resolve("pagemap"), SELF.toRealPath().resolve("pagemap"));
    try (ProcessMemory memory = new ProcessMemory(folder)) {
      assertThat(CountedMappings.of(folder, memory)).isNull();
    }
  }
}
