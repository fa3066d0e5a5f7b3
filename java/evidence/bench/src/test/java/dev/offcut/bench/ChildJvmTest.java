package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.child.Figure;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
  private final ChildJvm child = new ChildJvm();

  private static ChildRun run(String arg, String prefix) {
    return ChildRun.of("a", "Serial", TestChild.class, arg).process(prefix);
  }

  @Test
  void run_child_reportsItsFigures() throws ChildFailure {
    List<Figure> figures = child.run(TestSuite.run("works", 0), 60);
    assertThat(figures).containsExactly(new Figure("cpu_ns_per_op", 7.25, "ns"));
  }

  @Test
  void run_wholeProcess_addsWhatItTook() throws ChildFailure {
    List<Figure> figures = child.run(run("works", "article_"), 60);
    assertThat(figures)
        .extracting(Figure::metric)
        .containsExactly(
            "cpu_ns_per_op", "article_elapsed_ms", "article_user_ms", "article_cpu_ms");
    assertThat(figures.get(1).value()).isPositive();
    assertThat(figures.get(2).value()).isPositive();
    assertThat(figures.get(3).value()).isGreaterThan(figures.get(2).value());
  }

  @Test
  void run_childThrows_saysStatusCommandAndOutput() {
    assertThatExceptionOfType(ChildFailure.class)
        .isThrownBy(() -> child.run(TestSuite.run("fails", 0), 60))
        .withMessageContainingAll(
            "exit status 1", "-XX:+UseG1GC", TestChild.class.getName(), "as told", "by the way");
  }

  @Test
  void run_childMeasuredNothing_fails() {
    assertThatExceptionOfType(ChildFailure.class)
        .isThrownBy(() -> child.run(TestSuite.run("idles", 0), 60))
        .withMessageContaining("it measured nothing: @figure cpu_ns_per_op Infinity ns");
  }

  @Test
  void run_childHangs_isEnded() {
    assertThatExceptionOfType(ChildFailure.class)
        .isThrownBy(() -> child.run(TestSuite.run("hangs", 0), 1))
        .withMessageContaining("after at most 1 s");
  }
}
