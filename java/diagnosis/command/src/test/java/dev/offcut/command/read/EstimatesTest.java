package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EstimatesTest {
  private static final int EVERY = 128;
  private static final int EVERY_BYTES = 512 << 10;

  private static Digest.Site site(long open, long lost, long bytes, long samples) {
    List<String> frames = List.of("a.B.c(B.java:1)");
    return new Digest.Site(
        "unsafe", frames, open + lost, 0, 0, lost, open, bytes, 0, samples, false, null);
  }

  private static Digest.Kind kind(long open, long lost, long bytes) {
    return new Digest.Kind("unsafe", open + lost, 0, 0, lost, open, bytes, bytes, bytes, 0);
  }

  private static List<Digest.Site> scaled(Digest.Kind kind, Digest.Site... sites) {
    return Estimates.of(kind, List.of(sites), EVERY, EVERY_BYTES);
  }

  @Test
  void of_estimates_addUpToTheKind() {
    List<Digest.Site> sites =
        scaled(
            kind(2_000, 31, 77_777_777),
            site(1_000, 10, 30_000_000, 9),
            site(400, 10, 20_000_000, 5),
            site(72, 10, 10_000_000, 2));
    assertThat(sites.stream().mapToLong(Digest.Site::open).sum()).isEqualTo(2_000);
    assertThat(sites.stream().mapToLong(Digest.Site::lost).sum()).isEqualTo(31);
    assertThat(sites.stream().mapToLong(Digest.Site::opened).sum()).isEqualTo(2_031);
    assertThat(sites.stream().mapToLong(Digest.Site::bytes).sum()).isEqualTo(77_777_777);
    assertThat(sites.getFirst().open()).isBetween(1_350L, 1_365L);
  }

  @Test
  void of_whatIsKnown_staysAsItIs() {
    List<Digest.Site> sites =
        scaled(
            kind(3_010, 0, 105_049_600), site(2_304, 0, 147_000, 82), site(10, 0, 104_857_600, 10));
    assertThat(sites.get(1).open()).isEqualTo(10);
    assertThat(sites.get(1).bytes()).isEqualTo(104_857_600);
    assertThat(sites.get(1).margins()).isEqualTo(new Digest.Margins(0, 0, 0, 0));
    assertThat(sites.get(0).open()).isEqualTo(3_000);
    assertThat(sites.get(0).bytes()).isEqualTo(192_000);
  }

  /** It opened 18 among the first 64 of its kind, and nobody knows how many after these. */
  @Test
  void of_firstOpeningsAlone_areNotAllThatThereIs() {
    List<Digest.Site> sites =
        scaled(kind(4_500, 0, 450_000), site(4_000, 0, 400_000, 80), site(18, 0, 1_800, 18));
    assertThat(Objects.requireNonNull(sites.get(1).margins()).open()).isGreaterThan(100);
    assertThat(sites.stream().mapToLong(Digest.Site::open).sum()).isEqualTo(4_500);
  }

  @Test
  void of_aKindThatLeftAllItsStacks_isKnown() {
    List<Digest.Site> sites =
        scaled(kind(58, 2, 6_000), site(40, 0, 4_000, 40), site(18, 2, 2_000, 20));
    assertThat(sites.get(1).open()).isEqualTo(18);
    assertThat(sites.get(1).margins()).isEqualTo(new Digest.Margins(0, 0, 0, 0));
  }

  @Test
  void of_whatNobodySampled_isNowhere() {
    assertThat(scaled(kind(0, 3, 0), site(0, 0, 0, 1)).getFirst().lost()).isZero();
    // None are left, whatever the last samples say.
    assertThat(scaled(kind(0, 0, 0), site(128, 0, 640, 1)).getFirst().open()).isZero();
  }

  @Test
  void of_placesThatAreNotToldApart_areNotScaled() {
    List<Digest.Site> many = new ArrayList<>();
    for (int i = 0; i < Estimates.MOST_PLACES; i++) {
      many.add(site(128, 0, 0, 1));
    }
    assertThat(Estimates.of(kind(5_000_000, 0, 0), many, EVERY, EVERY_BYTES)).isEqualTo(many);
  }

  /** As the agent samples: of two places with blocks of their own size. */
  @Test
  void margins_areRightNineTimesInTen() {
    Random random = new Random(7);
    int runs = 400;
    int rightCounts = 0;
    int rightBytes = 0;
    for (int run = 0; run < runs; run++) {
      Digest.Site small = sampled(random, 20_000, 200);
      Digest.Site large = sampled(random, 3_000, 20_000);
      List<Digest.Site> sites = scaled(kind(23_000, 0, 64_000_000), small, large);
      Digest.Site one = sites.get(1);
      Digest.Margins margins = Objects.requireNonNull(one.margins());
      rightCounts += Math.abs(one.open() - 3_000) <= margins.open() ? 1 : 0;
      rightBytes += Math.abs(one.bytes() - 60_000_000) <= margins.bytes() ? 1 : 0;
      assertThat(margins.bytes()).isLessThan(16_000_000);
    }
    assertThat(rightCounts).isGreaterThan(runs * 9 / 10);
    assertThat(rightBytes).isGreaterThan(runs * 9 / 10);
  }

  private static Digest.Site sampled(Random random, int count, int bytes) {
    double chance = 1 - (1 - 1.0 / EVERY) * Math.exp(-(double) bytes / EVERY_BYTES);
    long samples = 0;
    for (int i = 0; i < count; i++) {
      samples += random.nextDouble() < chance ? 1 : 0;
    }
    return site(Math.round(samples / chance), 0, Math.round(samples * bytes / chance), samples);
  }
}
