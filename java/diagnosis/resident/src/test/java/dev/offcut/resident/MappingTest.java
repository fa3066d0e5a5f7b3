package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MappingTest {
  private static final String SMAPS =
      """
      7f0000000000-7f0000200000 rw-p 00000000 00:00 0\s
      Size:               2048 kB
      Rss:                1028 kB
      Pss:                 514 kB
      Anonymous:          1024 kB
      Swap:                  8 kB
      SwapPss:               4 kB
      VmFlags: rd wr mr mw me ac
      7f0000200000-7f0000201000 r--s 00001000 fe:00 315633                     /data/a file (deleted)
      Rss:                   4 kB
      Pss:                   4 kB
      ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
      Rss:                   0 kB
      """;

  private final List<Mapping> mappings = Mapping.parse(SMAPS);

  @Test
  void parse_readsFigures() {
    assertThat(mappings).hasSize(3);
    Mapping first = mappings.get(0);
    assertThat(first.start()).isEqualTo(0x7f0000000000L);
    assertThat(first.size()).isEqualTo(2L << 20);
    assertThat(first.resident()).isEqualTo(1028L << 10);
    assertThat(first.proportional()).isEqualTo(514L << 10);
    assertThat(first.swapped()).isEqualTo(8L << 10);
    assertThat(first.isAnonymous()).isTrue();
    assertThat(first.isWritable()).isTrue();
  }

  @Test
  void parse_readsPathsWithBlanks() {
    assertThat(mappings.get(1).path()).isEqualTo("/data/a file (deleted)");
    assertThat(mappings.get(1).file()).isEqualTo("/data/a file");
    assertThat(mappings.get(1).isFile()).isTrue();
    assertThat(mappings.get(1).isShared()).isTrue();
  }

  @Test
  void parse_readsAddressesAboveHalf() {
    assertThat(mappings.get(2).path()).isEqualTo("[vsyscall]");
    assertThat(mappings.get(2).size()).isEqualTo(4096);
  }

  @Test
  void of_thisProcess_isWhatTheSystemSays() throws Exception {
    Path self = Path.of("/proc/self");
    List<Mapping> all = Mapping.of(self);
    long paths =
        Files.readAllLines(self.resolve("maps")).stream().filter(l -> l.contains("/lib/")).count();
    assertThat(all.stream().filter(mapping -> mapping.path().contains("/lib/")).count())
        .isEqualTo(paths);
    assertThat(all).allMatch(mapping -> mapping.resident() <= mapping.size());
    Mapping heap = all.stream().filter(m -> m.path().equals("[heap]")).findFirst().orElseThrow();
    assertThat(Mapping.heapEnd(self)).isGreaterThanOrEqualTo(heap.end());
  }

  @Test
  void parse_ofNothing() {
    assertThat(Mapping.parse("")).isEmpty();
  }
}
