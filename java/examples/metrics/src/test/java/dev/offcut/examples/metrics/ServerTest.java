package dev.offcut.examples.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** In order: the counts of handles are those of the JVM, and the leak's stay. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServerTest {
  private static final int REQUESTS = 300;
  private static final String CACHE =
      "offcut_owner_handed_out_bytes{owner=\"answers\",pool=\"caches\"} ";

  @Test
  @Order(1)
  void page_fixed_hasAllAndNothingGrows() throws Exception {
    try (Server server = new Server(false, 0)) {
      for (int i = 0; i < REQUESTS; i++) {
        server.request();
      }
      String page = page(server, "offcut_handle_opened_total{type=\"block\"} ", REQUESTS);
      assertThat(page)
          .contains("offcut_handle_open{type=\"block\"} 0.0\n")
          .contains("offcut_handle_forgotten_total{type=\"block\"} 0.0\n")
          .contains("offcut_budget_limit_bytes{budget=\"server\"} 6.7108864E7\n")
          .contains("offcut_owner_external_bytes{owner=\"compiled\",pool=\"buffers\"} 1048576.0\n")
          .contains("offcut_pool_limit_bytes{pool=\"caches\"} 6.291456E7\n")
          .contains("offcut_source_present{source=\"agent\"} 0.0\n");
      assertThat(value(page, CACHE)).isBetween(9.0 * (1 << 20), 12.0 * (1 << 20));
    }
  }

  /** The cache takes all of its limit, and the server goes on. */
  @Test
  @Order(2)
  void page_leak_showsForgottenHandlesAndTheOwnerThatGrew() throws Exception {
    try (Server server = new Server(true, 0)) {
      for (int i = 0; i < REQUESTS; i++) {
        server.request();
      }
      String page = page(server, "offcut_handle_forgotten_total{type=\"block\"} ", REQUESTS / 2);
      assertThat(value(page, CACHE)).isGreaterThan(56 << 20);
    }
  }

  /**
   * The page, once a series has a value: a new owner or type has its series in the scrape after the
   * next one, and a reading is good for half a second.
   */
  private static String page(Server server, String series, double atLeast) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(server.address())).build();
      String page = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      while (value(page, series) < atLeast) {
        System.gc();
        Thread.sleep(100);
        page = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      }
      return page;
    }
  }

  private static double value(String page, String series) {
    return page.lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }
}
