package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinesTest {
  private static final String KIND = "buffer.direct";
  private static final String OWN = "com.acme.Photos.load(Photos.java:7)";
  private static final String MAIN = "com.acme.Main.main(Main.java:3)";

  private final DigestBuilder builder = new DigestBuilder();

  LinesTest() {
    take("offcut.AgentConfiguration", "level version sampleEvery options", "full", "", 1L, "");
  }

  private void take(String name, String names, Object... values) {
    builder.take(GivenFields.of(name, Instant.EPOCH, names, values));
  }

  private void kind(long opened, long bytes) {
    take("offcut.ResourceStatistics", "kind opened open bytes", KIND, opened, opened, bytes);
  }

  private void stack(long opened, long bytes, long line, String through, String... frames) {
    String site = String.join("\n", frames);
    String names = "kind site line through opened open bytes samples";
    take("offcut.ResourceSite", names, KIND, site, line, through, opened, opened, bytes, opened);
  }

  private Digest.Site only() {
    List<Digest.Site> sites = builder.digest(true).sites();
    assertThat(sites).hasSize(1);
    return sites.getFirst();
  }

  @Test
  void site_ofThreePathsThroughALibrary_isOneLine() {
    kind(60, 6_000);
    stack(10, 1_000, 1, "images.jar", "images.Png.open(Png.java:1)", OWN, MAIN);
    stack(30, 3_000, 1, "images.jar", "images.Jpeg.open(Jpeg.java:1)", OWN, MAIN);
    stack(
        20,
        2_000,
        2,
        "images.jar\nhttp.jar",
        "images.Png.open(Png.java:1)",
        "http.Client.get(Client.java:1)",
        OWN,
        "com.acme.Other.main(Other.java:3)");
    Digest.Site site = only();
    assertThat(site.at().own()).isEqualTo(OWN);
    assertThat(site.opened()).isEqualTo(60);
    assertThat(site.bytes()).isEqualTo(6_000);
    assertThat(site.through()).containsExactly("images.jar", "http.jar");
    assertThat(site.frames().getFirst()).isEqualTo("images.Jpeg.open(Jpeg.java:1)");
    assertThat(site.paths()).extracting(Digest.Path::opened).containsExactly(30L, 20L, 10L);
    assertThat(site.paths()).extracting(Digest.Path::own).containsExactly(1, 2, 1);
    assertThat(builder.digest(true).findings()).isEmpty(); // 6,000 bytes
  }

  @Test
  void site_ofOneStack_hasNoPaths() {
    kind(1, 100);
    stack(1, 100, 0, "", OWN, MAIN);
    assertThat(only().paths()).isEmpty();
    assertThat(only().ways()).extracting(Digest.Path::opened).containsExactly(1L);
  }

  @Test
  void site_ofAWrongLine_isReadAsTheLast() {
    kind(1, 100);
    stack(1, 100, 9, "", OWN, MAIN);
    assertThat(only().at().own()).isEqualTo(MAIN);
  }

  /** One worker of a pool was started by each; the words do not give all to either. */
  @Test
  void site_ofThreadsOfTwoLines_isOfTheLineThatStartedMost() {
    kind(30, 3_000);
    String started = "java.lang.Thread.start(this thread)";
    stack(10, 1_000, 0, "pool.jar", "pool.Worker.run(Worker.java:1)", started, MAIN);
    stack(20, 2_000, 0, "pool.jar", "pool.Worker.run(Worker.java:1)", started, OWN);
    assertThat(only().opened()).isEqualTo(30);
    assertThat(only().at().atLine()).isEqualTo("mostly in threads started at Photos.java:7");
  }

  @Test
  void site_ofThreadsOfOneLine_saysSo() {
    kind(10, 1_000);
    String started = "java.lang.Thread.start(this thread)";
    stack(10, 1_000, 0, "pool.jar", "pool.Worker.run(Worker.java:1)", started, OWN);
    assertThat(only().at().atLine()).isEqualTo("in threads started at Photos.java:7");
  }
}
