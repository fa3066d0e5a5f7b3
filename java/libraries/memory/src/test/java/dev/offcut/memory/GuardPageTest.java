package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Touching what nobody may touch ends the JVM, which says at which address; each in its own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class GuardPageTest {
  /** Arguments: the level, the bytes of a block, whether it is freed, what is touched. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      Hardening level = arguments[0].equals("full") ? Hardening.FULL : Hardening.sampled(1);
      long bytes = Long.parseLong(arguments[1]);
      try (MemoryPool pool = MemoryPool.named("guarded").create();
          BlockHeap heap = pool.owner().openHeap(level)) {
        long block = heap.allocate(bytes);
        RawMemory.fill(block, bytes, (byte) 1);
        if (Boolean.parseBoolean(arguments[2])) {
          heap.free(block);
        }
        long address = block + Long.parseLong(arguments[3]);
        System.out.println("touches 0x" + Long.toHexString(address));
        RawMemory.ALL.get(JAVA_BYTE, address);
        System.out.println("went well");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sampled, 100, false, 112",
    "sampled, 100, false, 2000",
    "sampled, 100, false, -4096",
    "sampled, 100, true, 0",
    "full, 200000, true, 150000"
  })
  void touch_ofWhatIsGuarded_endsTheJvmWithTheAddress(
      String level, long bytes, boolean isFreed, long at) throws Exception {
    ChildJvm.Output ended =
        ChildJvm.with(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+ErrorFileToStdout")
            .program(Program.class, level, bytes, isFreed, at)
            .runToAnyEnd();
    String said = ended.text();
    assertThat(ended.exitCode()).as(said).isNotZero();
    assertThat(said).doesNotContain("went well").contains("SIGSEGV").containsPattern("touches 0x");
    String address = said.lines().filter(l -> l.startsWith("touches ")).findFirst().orElseThrow();
    assertThat(said).containsPattern("si_addr: 0x0*" + address.substring("touches 0x".length()));
  }
}
