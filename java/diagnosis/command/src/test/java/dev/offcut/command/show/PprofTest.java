package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenFields;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PprofTest {
  @TempDir private Path folder = Path.of("");

  private static Digest digest() {
    DigestBuilder builder = new DigestBuilder();
    builder.take(GivenFields.of("offcut.AgentConfiguration", Instant.EPOCH, "level", "full"));
    builder.take(
        GivenFields.of(
            "offcut.ResourceSite",
            Instant.EPOCH,
            "kind site opened closed lost open bytes lostBytes samples",
            "arena.confined",
            "com.acme.Store.load(Store.java:88)\ncom.acme.Main.main(Main.java)",
            300L,
            100L,
            150L,
            50L,
            5000L,
            15_000L,
            3L));
    return builder.digest(true);
  }

  @Test
  void bytes_texts_areInTheirTable() throws IOException {
    byte[] zipped = Pprof.of(digest());
    String bytes =
        new String(
            new GZIPInputStream(new ByteArrayInputStream(zipped)).readAllBytes(),
            StandardCharsets.ISO_8859_1);
    assertThat(bytes).contains("inuse_space", "lost_objects", "com.acme.Store.load", "Store.java");
  }

  /** Go's own reader. */
  @Test
  void profile_goTool_readsIt() throws IOException, InterruptedException {
    assumeTrue(hasGo(), "no Go to read it with");
    Path file = Files.write(folder.resolve("a.pb.gz"), Pprof.of(digest()));
    assertThat(top(file, "inuse_space")).contains("19.53kB", "com.acme.Store.load Store.java:88");
    assertThat(top(file, "lost_objects")).containsPattern("150 +100% +100% +150 +100% +com.acme");
    assertThat(top(file, "alloc_objects"))
        .containsPattern("0 +0% +100% +300 +100% +com.acme.Main.main");
  }

  private static boolean hasGo() throws InterruptedException {
    try {
      return new ProcessBuilder("go", "version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String top(Path file, String index) throws IOException {
    Process go =
        new ProcessBuilder(
                "go", "tool", "pprof", "-top", "-lines", "-sample_index=" + index, file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
