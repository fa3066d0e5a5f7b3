package dev.offcut.examples.orders;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The service, and a client in the same JVM. It sends requests, then reads the endpoint until what
 * became of all of them is known, and prints that and the page of metrics. Its arguments: how many
 * requests, and properties of Spring.
 */
final class OrdersProgram {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Pattern SIGNATURES =
      Pattern.compile(
          "\"type\":\"signature\",\"opened\":(\\d+),\"closed\":(\\d+),\"forgotten\":(\\d+)");
  private static final Pattern ARENAS =
      Pattern.compile(
          "\"kind\":\"arena\\.shared\",\"opened\":(\\d+),\"closed\":(\\d+),"
              + "\"collected\":0,\"lost\":(\\d+)");

  private OrdersProgram() {}

  public static void main(String[] arguments) throws Exception {
    int requests = Integer.parseInt(arguments[0]);
    try (ConfigurableApplicationContext context = SpringApplication.run(Main.class, arguments)) {
      String base =
          "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
      for (int i = 0; i < requests; i++) {
        HttpRequest invoice =
            HttpRequest.newBuilder(URI.create(base + "/orders/" + i + "/invoice"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        int status = CLIENT.send(invoice, HttpResponse.BodyHandlers.ofString()).statusCode();
        if (status != 200) {
          throw new IllegalStateException("status " + status);
        }
      }
      String endpoint = get(base + "/actuator/offcut");
      while (ended(SIGNATURES, endpoint) < requests || ended(ARENAS, endpoint) < requests) {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(100);
        endpoint = get(base + "/actuator/offcut");
      }
      System.out.println("endpoint " + endpoint);
      TimeUnit.SECONDS.sleep(1); // the metrics have a reading of their own, good for half a second
      get(base + "/actuator/prometheus"); // a new type has its series in the next one
      get(base + "/actuator/prometheus")
          .lines()
          .filter(line -> line.startsWith("offcut_"))
          .forEach(System.out::println);
    }
  }

  /** How many were closed, forgotten or lost. */
  private static long ended(Pattern what, String endpoint) {
    Matcher found = what.matcher(endpoint);
    return found.find() ? Long.parseLong(found.group(2)) + Long.parseLong(found.group(3)) : 0;
  }

  private static String get(String address) throws IOException, InterruptedException {
    return CLIENT
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
