package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GrowthRatesTest {
  private static final long MIB = 1L << 20;

  /** One each ten seconds, of a program that has 200 MiB besides. */
  private static List<Digest.Growth> growth(int accounts, Part part, IntToLongFunction mib) {
    List<Taken> all = new ArrayList<>();
    for (int i = 0; i < accounts; i++) {
      long bytes = mib.applyAsLong(i) * MIB;
      Account account =
          GivenAccount.of(
              new Account.Row(Part.HEAP_USED, "", 200 * MIB), new Account.Row(part, "", bytes));
      all.add(new Taken(Instant.EPOCH.plusSeconds(10L * i), account));
    }
    return GrowthRates.of(new Accounts(all));
  }

  @Test
  void of_whatRisesSteadily_isItsRate() {
    Digest.Growth growth = growth(10, Part.MALLOC_USED, i -> 50 + 10 * i).getFirst();
    assertThat(growth.part()).isEqualTo("malloc, in use");
    assertThat(growth.bytes()).as("without the first third").isEqualTo(60 * MIB);
    assertThat(growth.seconds()).isEqualTo(60);
    assertThat(growth.rate()).isEqualTo(60 * MIB);
    assertThat(growth.least()).isEqualTo(60 * MIB);
    assertThat(growth.most()).isEqualTo(60 * MIB);
  }

  /** Where nobody may read the process, malloc is in a row of its own. */
  @Test
  void of_mallocThatCannotBeRead_isItsRate() {
    Digest.Growth growth = growth(10, Part.MALLOC_UNREAD, i -> 50 + 10 * i).getFirst();
    assertThat(growth.part()).isEqualTo("malloc, in use or kept");
    assertThat(growth.rate()).isEqualTo(60 * MIB);
  }

  @Test
  void of_whatRisesWithNoise_isWithinItsInterval() {
    Random random = new Random(1);
    Digest.Growth growth = growth(30, Part.POOLS, i -> 50 + 10 * i + random.nextInt(20)).getFirst();
    assertThat(growth.rate()).isBetween(52 * MIB, 68 * MIB);
    assertThat(growth.least()).isLessThan(60 * MIB);
    assertThat(growth.most()).isGreaterThan(60 * MIB);
  }

  @Test
  void of_whatBeginsToRiseLate_rises() {
    assertThat(growth(30, Part.POOLS, i -> 50 + 10 * Math.max(0, i - 14))).hasSize(1);
  }

  /** The work of a short program may end two seconds before the program does. */
  @Test
  void of_workThatEndsShortlyBeforeTheProgram_rises() {
    assertThat(stopping(50)).isNotNull();
    assertThat(stopping(500)).as("ten times as slowly").isNull();
  }

  /** A hundred points, so many milliseconds apart, that rise for two thirds of the time. */
  private static Digest.@Nullable Growth stopping(long millis) {
    List<GrowthRates.Point> points = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Instant time = Instant.EPOCH.plusMillis(millis * i);
      points.add(new GrowthRates.Point(time, MIB * Math.min(i, 67)));
    }
    return GrowthRates.of("a part", points, MIB);
  }

  @Test
  void of_whatDoesNotRiseSteadily_isNone() {
    Part malloc = Part.MALLOC_USED;
    IntToLongFunction rising = i -> 50 + 100 * i;
    Random random = new Random(2);
    assertThat(growth(30, malloc, i -> 300 + random.nextInt(60))).as("stays").isEmpty();
    assertThat(growth(30, malloc, i -> Math.min(300, 50 + 40 * i))).as("a full cache").isEmpty();
    assertThat(growth(50, malloc, i -> 50 + 40 * (i % 8))).as("emptied again and again").isEmpty();
    assertThat(growth(10, Part.STACKS, i -> 500 - 20 * i)).as("falls").isEmpty();
    assertThat(growth(10, Part.METASPACE, i -> 10 + i)).as("little").isEmpty();
    assertThat(growth(9, malloc, rising)).as("too short a run").isEmpty();
    assertThat(growth(10, Part.HEAP_FREE, rising)).as("the heap").isEmpty();
  }

  @Test
  void of_aStep_isNone() {
    for (int at = 1; at < 30; at++) {
      int step = at;
      assertThat(growth(30, Part.MALLOC_USED, i -> i < step ? 50 : 300)).as("at " + at).isEmpty();
    }
  }

  @Test
  void of_aStepInWhatRises_movesItLittle() {
    Digest.Growth growth =
        growth(40, Part.MALLOC_USED, i -> 50 + 10 * i + (i < 20 ? 0 : 60)).getFirst();
    assertThat(growth.rate()).isBetween(60 * MIB, 80 * MIB);
  }

  /** Of a run of three seconds there are points that are 50 ms apart at first. */
  @Test
  void of_aRunOfThreeSeconds_isItsRate() {
    List<GrowthRates.Point> points = new ArrayList<>();
    double step = 50;
    for (double millis = 250; millis <= 3000; millis += step, step *= 1.1) {
      points.add(
          new GrowthRates.Point(
              Instant.ofEpochMilli((long) millis), (long) (millis / 1000 * 40 * MIB)));
    }
    assertThat(points).hasSizeGreaterThan(10);
    Digest.Growth growth = GrowthRates.of("x", points, 16 * MIB);
    assertThat(Objects.requireNonNull(growth).rate()).isBetween(2300 * MIB, 2500 * MIB);
    assertThat(GrowthRates.of("x", points.subList(0, 9), MIB)).isNull();
  }

  /** Direct buffers that rise by so much in a minute, in a malloc that rises by so much. */
  private static List<String> growing(int mallocMib, int buffersMib) {
    Timeline timeline = new Timeline();
    for (int second = 0; second <= 60; second++) {
      timeline.kind(
          Instant.EPOCH.plusSeconds(second), "buffer.direct", buffersMib * MIB * second / 60);
    }
    long bytes = buffersMib * MIB;
    Digest.Kind buffers = new Digest.Kind("buffer.direct", 60, 0, 0, 0, 60, bytes, bytes, bytes, 0);
    long resident = 300 * MIB;
    List<Digest.Growth> parts = growth(13, Part.MALLOC_USED, i -> 50 + mallocMib * i / 12);
    Digest.Memory memory =
        new Digest.Memory(resident, resident, null, true, List.of(), List.of(), parts);
    return GrowthRates.withKinds(memory, List.of(buffers), timeline).stream()
        .map(Digest.Growth::part)
        .toList();
  }

  /** Of malloc what the kinds in it do not explain is told, too, or nobody would hear of it. */
  @Test
  void withKinds_ofAKindInMalloc_tellsWhatExplainsMore() {
    assertThat(growing(45, 40)).containsExactly("buffer.direct");
    assertThat(growing(90, 40)).containsExactly("malloc, in use", "buffer.direct");
    assertThat(growing(29, 15)).containsExactly("malloc, in use");
  }

  /** The agent's points tell it; two accounts do not. */
  @Test
  void withKinds_tellsMetaspace() {
    Timeline timeline = new Timeline();
    for (int second = 0; second <= 30; second++) {
      timeline.set(Instant.EPOCH.plusSeconds(second), Timeline.METASPACE, (20 + second) * MIB);
    }
    Digest.Memory memory =
        new Digest.Memory(300 * MIB, 300 * MIB, null, true, List.of(), List.of(), List.of());
    assertThat(GrowthRates.withKinds(memory, List.of(), timeline))
        .extracting(Digest.Growth::part)
        .containsExactly("metaspace");
  }

  /** One point a second, with a full collection each five seconds. */
  private static List<GrowthRates.Point> heapLeft(int kept) {
    Timeline timeline = new Timeline();
    for (int second = 0; second < 100; second++) {
      Instant time = Instant.EPOCH.plusSeconds(second);
      timeline.set(time, Timeline.OLD_PAUSES, second / 5);
      timeline.set(time, Timeline.FULL_PAUSES, second / 5);
      timeline.set(time, Timeline.HEAP_AFTER, (20L * (second % 5) + (long) kept * second) * MIB);
    }
    return timeline.heapLeft();
  }

  /** Of a heap of 500 MiB one point a second, with a marking of G1 at each of some seconds. */
  private static Digest.@Nullable Growth marked(int rise, Integer... markings) {
    Timeline timeline = new Timeline();
    for (int second = 0; second < 50; second++) {
      Instant time = Instant.EPOCH.plusSeconds(second);
      int now = second;
      long pauses = 2 * Stream.of(markings).filter(marking -> marking <= now).count();
      timeline.set(time, Timeline.OLD_PAUSES, pauses);
      timeline.set(time, Timeline.FULL_PAUSES, 0);
      timeline.set(time, Timeline.HEAP, 500 * MIB);
      timeline.set(time, Timeline.HEAP_AFTER, (long) rise * second * MIB);
    }
    return GrowthRates.of(GrowthRates.HEAP, timeline.heapLeft(), MIB);
  }

  @Test
  void heap_thatOldCollectionsEmpty_doesNotRise() {
    assertThat(heapLeft(0)).hasSize(95).allMatch(point -> point.bytes() == 0);
    assertThat(GrowthRates.of(GrowthRates.HEAP, heapLeft(0), MIB)).isNull();
    assertThat(Objects.requireNonNull(GrowthRates.of(GrowthRates.HEAP, heapLeft(2), MIB)).rate())
        .isBetween(115 * MIB, 125 * MIB);
  }

  @Test
  void heap_thatOnlyYoungCollectionsSaw_doesNotRise() {
    assertThat(marked(5)).isNull();
    assertThat(marked(5, 49)).as("the garbage is still to be collected").isNull();
    assertThat(marked(4, 30, 40, 49)).as("G1 may leave that much").isNull();
    assertThat(Objects.requireNonNull(marked(8, 30, 40, 49)).rate())
        .isBetween(475 * MIB, 485 * MIB);
  }
}
