package dev.offcut.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes the files of runs for {@code test/spark.sh} and {@code test/s3.sh}, and says what they have
 * together.
 */
final class GivenRuns {
  private static final long START_MS = 1_790_000_003_456L;

  private GivenRuns() {}

  /**
   * {@code args}: the folder, how many, and how many seconds each. Prints the seed, and the sums as
   * JSON.
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[0]));
    int runs = Integer.parseInt(args[1]);
    int seconds = Integer.parseInt(args[2]);
    long seed = System.nanoTime();
    long[] sums = new long[5];
    for (int i = 0; i < runs; i++) {
      GivenProcess process = new GivenProcess(100 + i, START_MS + i * 7_000L, seconds, seed + i);
      process.archive(folder.resolve("run-" + i + ".offcut"), seconds, true, "com.acme.Orders");
      for (GivenProcess.Counts total : process.totals()) {
        sums[0] += total.opened();
        sums[1] += total.closed();
        sums[2] += total.collected();
        sums[3] += total.lost();
        sums[4] += total.lostBytes();
      }
    }
    System.out.printf(
        "%d [{\"opened\":%d,\"closed\":%d,\"collected\":%d,\"lost\":%d,\"lostBytes\":%d}]%n",
        seed, sums[0], sums[1], sums[2], sums[3], sums[4]);
  }
}
