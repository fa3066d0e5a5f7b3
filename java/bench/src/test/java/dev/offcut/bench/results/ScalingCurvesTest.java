package dev.offcut.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.contention.ScalabilityLaw;
import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.read.RunFile.Row;
import dev.offcut.bench.results.BarsPicture.Picture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalingCurvesTest {
  private static RunFile run(int... threads) {
    ScalabilityLaw ours = new ScalabilityLaw(1000, 0.1, 0, 0);
    ScalabilityLaw peer = new ScalabilityLaw(800, 0.5, 0.02, 0);
    List<Row> rows = new ArrayList<>();
    for (int n : threads) {
      rows.add(row("offcut", n, "wall_ops_per_ms", ours.throughput(n)));
      rows.add(row("peer", n, "wall_ops_per_ms", peer.throughput(n)));
      rows.add(row("peer", n, "cpu_ns_per_op", 7));
    }
    return new RunFile(
        Path.of("contention.json"), "contention", Map.of("cpus", 2), rows, List.of(), List.of());
  }

  private static Row row(String impl, int threads, String metric, double value) {
    return new Row(
        new Row.Key("map", impl, threads, "G1", "java 25", metric), "1", value, "ops/ms", 0, 3);
  }

  @Test
  void laws_haveTheParametersOfEachCurve() {
    assertThat(new ScalingCurves(run(1, 2, 4, 8)).laws().lines())
        .containsExactly(
            List.of("map", "offcut", "1,000", "0.100", "0.00000", "beyond 1,024", "0 %"),
            List.of("map", "peer", "800", "0.500", "0.02000", "5.0", "0 %"));
  }

  @Test
  void laws_ofTwoPoints_areNotClaimed() {
    assertThat(new ScalingCurves(run(1, 2)).laws().lines())
        .allSatisfy(line -> assertThat(line.get(2)).isEqualTo("2 points: too few"));
  }

  @Test
  void pictures_haveADotForEachPointAndALineForEachLaw() {
    List<Picture> pictures = new ScalingCurves(run(1, 2, 4, 8)).pictures();
    assertThat(pictures).hasSize(1);
    String svg = pictures.getFirst().svg();
    assertThat(pictures.getFirst().name()).isEqualTo("contention-map.svg");
    assertThat(svg.split("<polyline", -1)).hasSize(2 + 1);
    assertThat(svg.split("<circle", -1)).hasSize(2 * 4 + 2 + 1); // and those of the legend
    assertThat(svg).contains(">8</text>", "the machine has 2 CPUs", "offcut", "peer");
  }
}
