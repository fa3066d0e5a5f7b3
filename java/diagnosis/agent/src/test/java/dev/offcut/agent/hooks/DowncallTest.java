package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory of malloc that the program gets by downcalls, or by JNA's Native. */
class DowncallTest {
  private static final int OLDEST = 22;
  private static final String NO_LINKER = "an older JDK has no linker";

  private static final int ROUNDS = 1_000;

  private static Recorded run(Path folder, Object... arguments) throws Exception {
    return Recorded.run(folder, AgentJvm.with(), DowncallProgram.class, "level=full", arguments);
  }

  @Test
  @EnabledForJreRange(minVersion = OLDEST, disabledReason = NO_LINKER)
  void handlesOfAllForms_areCounted(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "forms", ROUNDS);
    int closed = DowncallProgram.FORMS * ROUNDS;
    assertThat(recorded.kind("malloc.downcall"))
        .isEqualTo("opened " + (closed + ROUNDS) + " closed " + closed + " open " + ROUNDS);
    assertThat(recorded.last("malloc.downcall").getLong("bytes")).isEqualTo(200L * ROUNDS);
    assertThat(recorded.last("malloc.downcall").getString("proof")).isEqualTo("full");
    assertThat(recorded.last("malloc.downcall").getLong("unseen")).isZero();
    assertThat(recorded.sites("malloc.downcall", "forms")).contains("opened 1000 open 1000");
    assertThat(recorded.output.said()).isEmpty();
  }

  @Test
  @EnabledForJreRange(minVersion = OLDEST, disabledReason = NO_LINKER)
  void handleOfUnknownType_isSaidAndWorks(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "unknown", 1);
    assertThat(recorded.output.said())
        .containsExactly(
            "offcut: downcalls of malloc: a call of malloc has the unknown type (long)int; it is not counted");
    assertThat(recorded.kind("malloc.downcall")).isEmpty();
  }

  /** Nothing stays open that is not, whatever kind has the address next. */
  @ParameterizedTest
  @CsvSource({"unsafe,unsafe", "unsafe,malloc.jna", "malloc.jna,malloc.jna"})
  void freedByNativeCode_isClosedUnseen(String kind, String next, @TempDir Path folder)
      throws Exception {
    assertUnseen(run(folder, "nativeFree", ROUNDS, kind, next), kind, next);
  }

  @ParameterizedTest
  @EnabledForJreRange(minVersion = OLDEST, disabledReason = NO_LINKER)
  @CsvSource({"malloc.downcall,malloc.downcall", "malloc.downcall,unsafe"})
  void freedByNativeCode_ofDowncalls_isClosedUnseen(String kind, String next, @TempDir Path folder)
      throws Exception {
    assertUnseen(run(folder, "nativeFree", ROUNDS, kind, next), kind, next);
  }

  @Test
  void freedByNativeCode_thenABuffers_isClosedUnseen(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "nativeFree", ROUNDS, "unsafe", "buffer.direct");
    RecordedEvent counts = recorded.last("unsafe");
    assertThat(counts.getLong("opened")).isEqualTo(ROUNDS / 2);
    assertThat(counts.getLong("closed")).isEqualTo(counts.getLong("unseen"));
    assertThat(counts.getLong("open")).isEqualTo(ROUNDS / 2 - again(recorded));
    assertThat(recorded.kind("buffer.direct")).isEqualTo("opened 500 open 500");
  }

  /** Most of them are in smaller tables than the one that was added last. */
  @Test
  void freedByNativeCode_whileManyAreOpen_isClosedUnseen(@TempDir Path folder) throws Exception {
    int many = 20 * ROUNDS;
    Recorded recorded = run(folder, "nativeFreeOfMany", many);
    RecordedEvent counts = recorded.last("unsafe");
    assertThat(counts.getLong("opened")).isEqualTo(2L * many);
    assertThat(counts.getLong("closed")).isEqualTo(counts.getLong("unseen"));
    assertThat(counts.getLong("open")).isEqualTo(2L * many - again(recorded));
  }

  /**
   * How many blocks had an address that native code had freed: only these are known to be free.
   * Which addresses malloc hands out again, and when, is malloc's own affair.
   */
  private static long again(Recorded recorded) {
    return recorded.output.out().stream()
        .filter(line -> line.startsWith("again "))
        .mapToLong(line -> Long.parseLong(line.substring("again ".length())))
        .sum();
  }

  private static void assertUnseen(Recorded recorded, String kind, String next) {
    long open = 0;
    for (String one : new TreeSet<>(List.of(kind, next))) {
      RecordedEvent counts = recorded.last(one);
      assertThat(counts.getLong("opened"))
          .as(one)
          .isEqualTo(kind.equals(next) ? ROUNDS : ROUNDS / 2);
      assertThat(counts.getLong("closed")).as(one).isEqualTo(counts.getLong("unseen"));
      open += counts.getLong("open");
    }
    assertThat(open).isEqualTo(ROUNDS - again(recorded));
  }

  @Test
  void memoryOfJna_isNoneOfNativeMalloc(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "memory", ROUNDS);
    assertThat(recorded.kind("jna")).isEqualTo("opened 1000 closed 1000");
    assertThat(recorded.kind("malloc.jna")).isEqualTo("opened 1000 closed 1000");
    assertThat(recorded.last("malloc.jna").getString("proof")).isEqualTo("full");
  }
}
