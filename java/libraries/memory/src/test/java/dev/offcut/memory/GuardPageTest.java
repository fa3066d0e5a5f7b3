package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Touching what nobody may touch ends the JVM, which says at which address; each in its own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class GuardPageTest {
  /** What is done in the JVM that ends. */
  enum Misuse {
    OVERFLOW_OF_A_SAMPLED_BLOCK(false, 100) {
      @Override
      long address(BlockHeap heap, long block) {
        return block + 112;
      }
    },
    FAR_OVERFLOW_OF_A_SAMPLED_BLOCK(false, 100) {
      @Override
      long address(BlockHeap heap, long block) {
        return block + 2_000;
      }
    },
    UNDERFLOW_OF_A_SAMPLED_BLOCK(false, 100) {
      @Override
      long address(BlockHeap heap, long block) {
        return block - 4_096;
      }
    },
    USE_OF_A_FREED_SAMPLED_BLOCK(false, 100) {
      @Override
      long address(BlockHeap heap, long block) {
        heap.free(block);
        return block;
      }
    },
    USE_OF_A_FREED_LARGE_BLOCK(true, 200_000) {
      @Override
      long address(BlockHeap heap, long block) {
        heap.free(block);
        return block + 150_000;
      }
    };

    private final boolean full;
    final long bytes;

    Misuse(boolean full, long bytes) {
      this.full = full;
      this.bytes = bytes;
    }

    Hardening hardening() {
      return full ? Hardening.FULL : Hardening.sampled(1);
    }

    /** The address that may not be touched. */
    abstract long address(BlockHeap heap, long block);
  }

  /** The program of that JVM. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      Misuse misuse = Misuse.valueOf(arguments[0]);
      try (MemoryPool pool = MemoryPool.named("guarded").create();
          BlockHeap heap = pool.owner().openHeap(misuse.hardening())) {
        long block = heap.allocate(misuse.bytes);
        RawMemory.fill(block, misuse.bytes, (byte) 1);
        long address = misuse.address(heap, block);
        System.out.println("touches 0x" + Long.toHexString(address));
        RawMemory.ALL.get(JAVA_BYTE, address);
        System.out.println("went well");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void touch_ofWhatIsGuarded_endsTheJvmWithTheAddress(Misuse misuse) throws Exception {
    ChildJvm.Output ended =
        ChildJvm.with(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+ErrorFileToStdout")
            .program(Program.class, misuse.name())
            .runToAnyEnd();
    String said = ended.text();
    assertThat(ended.exitCode()).as(said).isNotZero();
    assertThat(said).doesNotContain("went well").contains("SIGSEGV").containsPattern("touches 0x");
    String address = said.lines().filter(l -> l.startsWith("touches ")).findFirst().orElseThrow();
    assertThat(said).containsPattern("si_addr: 0x0*" + address.substring("touches 0x".length()));
  }
}
