package dev.offcut.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import org.junit.jupiter.api.Test;

/** The service under the agent, which leaks and which does not. */
class OrdersTest {
  private static final int REQUESTS = 300;

  /** The cache's bytes. */
  private static final String CACHE =
      "offcut_owner_handed_out_bytes{owner=\"invoices\",pool=\"caches\"} ";

  private static ChildJvm.Output run(String leak) throws Exception {
    return ChildJvm.with(
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Doffcut.handle.detection=full",
            "-javaagent:" + System.getProperty("agent.jar") + "=level=full,tables=off")
        .program(OrdersProgram.class, REQUESTS, "--server.port=0", leak)
        .run();
  }

  private static double value(ChildJvm.Output output, String series) {
    return output.out().stream()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  @Test
  void service_thatLeaks_showsTheLinesAndTheOwnerThatGrew() throws Exception {
    ChildJvm.Output output = run("--leak=true");
    String line =
        "\\[\"dev\\.offcut\\.examples\\.orders\\.Invoices\\.signAndForget"
            + "\\(Invoices\\.java:\\d+\\)\"";
    assertThat(output.value("endpoint"))
        .containsPattern("\\{\"type\":\"signature\",\"forgotten\":300,\"stack\":" + line)
        .containsPattern(
            "\\{\"kind\":\"arena\\.shared\",\"opened\":300,\"lost\":300,\"open\":0,\"bytes\":0,"
                + "\"lost_bytes\":1228800,\"line\":\"[^\"]*Invoices[^\"]*\",\"stack\":"
                + line);
    assertThat(output.outText())
        .contains("offcut_handle_forgotten_total{type=\"signature\"} 300.0\n")
        .contains("offcut_resource_lost_total{kind=\"arena.shared\"} 300.0\n");
    assertThat(value(output, CACHE)).isGreaterThan(56 << 20);
  }

  @Test
  void service_thatCloses_showsNothing() throws Exception {
    ChildJvm.Output output = run("--leak=false");
    assertThat(output.value("endpoint"))
        .doesNotContain("\"stack\":[\"dev.offcut.examples.orders.Invoices.");
    assertThat(output.outText())
        .contains("offcut_handle_closed_total{type=\"signature\"} 300.0\n")
        .contains("offcut_handle_forgotten_total{type=\"signature\"} 0.0\n")
        .contains("offcut_handle_open{type=\"signature\"} 0.0\n")
        .contains("offcut_resource_open{kind=\"arena.shared\"} 0.0\n")
        .contains("offcut_resource_lost_total{kind=\"arena.shared\"} 0.0\n")
        .contains("offcut_budget_limit_bytes{budget=\"service\"} 6.7108864E7\n")
        .contains("offcut_owner_external_bytes{owner=\"fonts\",pool=\"buffers\"} 1048576.0\n")
        .contains("offcut_source_present{source=\"agent\"} 1.0\n");
    assertThat(value(output, CACHE)).isBetween(9.0 * (1 << 20), 12.0 * (1 << 20));
  }
}
