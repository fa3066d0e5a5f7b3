package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings with wrong bytes in them: whatever they say then, it is that or one sentence. */
class DamagedRecordingTest {
  private static final int ROUNDS = 400;
  private static final long SEED = 8198423;

  @TempDir private Path folder = Path.of("");

  private final Words words = new Words();
  private final Random random = new Random(SEED);

  private static void damage(byte[] bytes, Random random) {
    for (int i = random.nextInt(1, 9); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) random.nextInt(1, 256);
    }
  }

  private Path damaged(byte[] good, String name) throws IOException {
    byte[] bytes = good.clone();
    damage(bytes, random);
    return Files.write(folder.resolve(name), bytes);
  }

  @Test
  void report_damaged_isAReadingOrOneSentence() throws IOException {
    byte[] good = Files.readAllBytes(Scenario.leaking().write(folder.resolve("good.jfr")));
    int unreadable = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Path file = damaged(good, "damaged.jfr");
      int exitCode = words.run("report", file.toString());
      assertThat(exitCode).as("seed %d, round %d: %s", SEED, round, words.said()).isIn(0, 5);
      if (words.printed().isEmpty()) {
        assertThat(words.said()).startsWith("offcut: ").hasLineCount(1);
        unreadable++;
      }
    }
    assertThat(unreadable).isBetween(1, ROUNDS - 1);
  }

  @Test
  void failure_withControlCharacters_isOneLine() {
    assertThat(Failure.unreadable("no type jdk.\n\u001bCollection").sentence())
        .isEqualTo("no type jdk.??Collection");
  }
}
