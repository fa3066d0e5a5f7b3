package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorsTest {
  @TempDir private Path process = Path.of("");

  private int links;

  @BeforeEach
  void makeFolder() throws IOException {
    Files.createDirectory(process.resolve("fd"));
  }

  private void link(String target, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Files.createSymbolicLink(process.resolve("fd/" + links++), Path.of(target));
    }
  }

  @Test
  void of_eachKind_isCounted() throws IOException {
    link("socket:[4711]", 6);
    link("/data/a.log", 3);
    link("/data/b.log", 2);
    link("pipe:[12]", 4);
    link("anon_inode:[eventpoll]", 3);
    link("anon_inode:[eventfd]", 1);
    link("/dev/null", 1);
    link("/tmp/gone (deleted)", 1);
    Files.writeString(
        process.resolve("limits"),
        """
        Max processes             15000       15000       processes
        Max open files            1024        524288      files
        """);
    Descriptors found = Descriptors.of(process);
    assertThat(found.open()).isEqualTo(links);
    assertThat(found.limit()).isEqualTo(1024);
    assertThat(found.kinds())
        .containsExactly(
            group("socket", 6),
            group("file", 5),
            group("pipe", 4),
            group("selector", 3),
            group("other", 2),
            group("deleted file", 1));
    assertThat(found.files()).containsExactly(group("/data/a.log", 3), group("/data/b.log", 2));
  }

  @Test
  void of_many_addsUpFromASample() throws IOException {
    link("/data/a.log", 9_001);
    Descriptors found = Descriptors.of(process);
    assertThat(found.open()).isEqualTo(9_001);
    assertThat(found.kinds()).containsExactly(group("file", 9_001));
    assertThat(found.limit()).isZero();
  }

  /** A selector has a second descriptor for its wake-ups. */
  @Test
  void of_manyThatRepeat_isNotOfEachNth() throws IOException {
    List<Closeable> open = new ArrayList<>();
    try {
      for (int i = 0; i < 800; i++) {
        open.add(Selector.open());
        open.add(DatagramChannel.open());
      }
      assertThat(Descriptors.of(Path.of("/proc/self")).kinds())
          .filteredOn(kind -> Set.of("selector", "socket", "other").contains(kind.name()))
          .hasSize(3)
          .allSatisfy(kind -> assertThat(kind.count()).isBetween(600, 1_000));
    } finally {
      for (Closeable one : open) {
        one.close();
      }
    }
  }

  @Test
  void of_aProcessNobodyMayLookAt_isUnknown() throws IOException {
    Files.delete(process.resolve("fd"));
    assertThat(Descriptors.of(process)).isEqualTo(Descriptors.UNKNOWN);
  }

  private static Account.Group group(String name, int count) {
    return new Account.Group(name, count, 0);
  }
}
