package dev.offcut.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the files of runs for {@code test/spark.sh} and {@code test/s3.sh}, and says what they have
 * together.
 */
final class GivenRuns {
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
    List<GivenProcess> all = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      GivenProcess process =
          new GivenProcess(100 + i, GivenFleet.START_MS + i * 7_000L, seconds, seed + i);
      process.archive(folder.resolve("run-" + i + ".offcut"), seconds, true, "com.acme.Orders");
      all.add(process);
    }
    System.out.println(seed + " " + GivenFleet.sums(all));
  }
}
