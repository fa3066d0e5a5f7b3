package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class GrowthRatesTest {
  private static final long MIB = 1L << 20;

  /** One each ten seconds, of a program that has 200 MiB besides. */
  private static List<Digest.Growth> growth(int accounts, Part part, IntToLongFunction mib) {
    List<Taken> all = new ArrayList<>();
    for (int i = 0; i < accounts; i++) {
      long bytes = mib.applyAsLong(i) * MIB;
      List<Account.Row> rows =
          List.of(new Account.Row(Part.HEAP_USED, "", 200 * MIB), new Account.Row(part, "", bytes));
      Account account =
          new Account(
              200 * MIB + bytes,
              0,
              rows,
              -1,
              0,
              1,
              1,
              null,
              List.of(),
              List.of(),
              Descriptors.UNKNOWN,
              List.of());
      all.add(new Taken(Instant.EPOCH.plusSeconds(10L * i), account));
    }
    return GrowthRates.of(new Accounts(all));
  }

  @Test
  void of_whatRisesSteadily_isItsRate() {
    Digest.Growth growth = growth(10, Part.MALLOC_USED, i -> 50 + 10 * i).getFirst();
    assertThat(growth.part()).isEqualTo("malloc, in use");
    assertThat(growth.bytes()).isEqualTo(90 * MIB);
    assertThat(growth.seconds()).isEqualTo(90);
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
    assertThat(growth.rate()).isBetween(55 * MIB, 65 * MIB);
    assertThat(growth.least()).isLessThan(60 * MIB);
    assertThat(growth.most()).isGreaterThan(60 * MIB);
  }

  @Test
  void of_whatStaysAsItIs_isNone() {
    Random random = new Random(2);
    assertThat(growth(30, Part.MALLOC_USED, i -> 300 + random.nextInt(60))).isEmpty();
  }

  /** A cache that fills, and then is full. */
  @Test
  void of_whatRoseAtTheBeginning_isNone() {
    assertThat(growth(30, Part.MALLOC_USED, i -> Math.min(300, 50 + 40 * i))).isEmpty();
  }

  @Test
  void of_whatFalls_isNone() {
    assertThat(growth(10, Part.STACKS, i -> 500 - 20 * i)).isEmpty();
  }

  @Test
  void of_aRunThatIsTooShort_isNone() {
    assertThat(growth(4, Part.MALLOC_USED, i -> 50 + 100 * i)).isEmpty();
  }

  @Test
  void of_whatIsLittle_isNone() {
    assertThat(growth(10, Part.METASPACE, i -> 10 + i)).isEmpty();
  }

  @Test
  void of_theHeap_isNone() {
    assertThat(growth(10, Part.HEAP_FREE, i -> 50 + 100 * i)).isEmpty();
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
    List<Digest.Growth> parts = growth(7, Part.MALLOC_USED, i -> 50 + mallocMib * i / 6);
    Digest.Memory memory =
        new Digest.Memory(resident, resident, null, true, List.of(), List.of(), parts);
    return GrowthRates.withKinds(memory, List.of(buffers), timeline).stream()
        .map(Digest.Growth::part)
        .toList();
  }

  @Test
  void withKinds_ofAKindThatExplainsMalloc_isTheKindAlone() {
    assertThat(growing(45, 40)).containsExactly("buffer.direct");
  }

  @Test
  void withKinds_ofAKindThatExplainsLittle_isBoth() {
    assertThat(growing(90, 40)).containsExactly("malloc, in use", "buffer.direct");
  }

  /** Else nobody would hear of either. */
  @Test
  void withKinds_ofAKindTooSmallToTell_isMalloc() {
    assertThat(growing(29, 15)).containsExactly("malloc, in use");
  }
}
