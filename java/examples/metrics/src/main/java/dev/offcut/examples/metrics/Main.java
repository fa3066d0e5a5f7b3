package dev.offcut.examples.metrics;

import java.io.IOException;

/**
 * Serves requests for ever, and shows the metrics of its native memory on a page that Prometheus
 * reads. {@code test/board.sh} reads it to try the board and the alert rules of {@code spec}.
 */
public final class Main {
  private static final long PAUSE_MILLIS = 20;
  private static final int REQUESTS_PER_COLLECTION = 50;

  private Main() {}

  /**
   * Serves until it is ended.
   *
   * @param args {@code leak} or {@code fixed}, and the port, if it is not to be a free one
   * @throws IOException if it cannot listen
   * @throws InterruptedException if it is interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length == 0 || !(args[0].equals("leak") || args[0].equals("fixed"))) {
      System.err.println("usage: leak or fixed [port]");
      System.exit(2);
    }
    try (Server server =
        new Server(args[0].equals("leak"), args.length > 1 ? Integer.parseInt(args[1]) : 0)) {
      System.out.println("metrics at " + server.address());
      for (int i = 1; true; i++) {
        server.request();
        if (i % REQUESTS_PER_COLLECTION == 0) {
          System.gc(); // few requests make little work for it, and it finds what is forgotten
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }
}
