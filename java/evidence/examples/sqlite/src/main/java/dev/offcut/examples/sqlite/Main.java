package dev.offcut.examples.sqlite;

import dev.offcut.handle.Detection;
import dev.offcut.handle.Handles;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The program that {@code offcut run} starts if it gets no command: it fills a table in memory and
 * queries it. A share of its statements is not closed. {@code offcut} reports what leaked, and
 * where.
 *
 * <p>Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
public final class Main {
  private static final String USAGE =
      "The options are --rows N (200000), --queries N (500000) and --forget SHARE, the share of"
          + " statements that are not closed, such as 1% or 0.01 (0).";

  /** The safety net needs two or three GC cycles, which take seconds on a busy machine. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(20);

  /** Multiples of the golden section are spread evenly, and in step with no sampler. */
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private int rows = 200_000;
  private int queries = 500_000;
  private double forget;

  private Main() {}

  /** Runs the program, and ends the JVM with the exit code. */
  public static void main(String[] args) {
    Main program = new Main();
    int code = 0;
    try {
      program.parse(args);
      program.run();
    } catch (IllegalArgumentException e) {
      System.err.println("offcut: " + e.getMessage());
      System.err.println(USAGE);
      code = 2;
    } catch (UnsatisfiedLinkError e) {
      System.err.println("offcut: " + e.getMessage());
      code = 1;
    }
    System.exit(code);
  }

  private void parse(String... args) {
    List<String> words =
        Arrays.stream(args).flatMap(word -> Arrays.stream(word.split("=", 2))).toList();
    for (int i = 0; i < words.size(); i += 2) {
      String option = words.get(i);
      String value = i + 1 < words.size() ? words.get(i + 1) : "nothing";
      try {
        switch (option) {
          case "--rows" -> rows = (int) number(value, 1, Integer.MAX_VALUE);
          case "--queries" -> queries = (int) number(value, 0, Integer.MAX_VALUE);
          case "--forget" ->
              forget =
                  value.endsWith("%")
                      ? number(value.substring(0, value.length() - 1), 0, 100) / 100
                      : number(value, 0, 1);
          default -> throw new IllegalArgumentException(option + " is not an option");
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(option + " cannot be " + value, e);
      }
    }
  }

  private static double number(String text, double least, double most) {
    double number = Double.parseDouble(text);
    if (!(number >= least && number <= most)) {
      throw new NumberFormatException(text);
    }
    return number;
  }

  private void run() {
    if (forget > 0 && System.getProperty("offcut.handle.detection") == null) {
      Handles.detection(Detection.SAMPLE);
    }
    try (Database database = Database.inMemory()) {
      Orders orders = new Orders(database, rows);
      orders.create();
      long began = System.nanoTime();
      long forgotten = queryAll(orders);
      System.out.printf(
          "SQLite %s: %,d rows, %,d queries in %.1f s, %,d statements not closed%n",
          Database.version(), rows, queries, (System.nanoTime() - began) / 1e9, forgotten);
      // Before the database is closed, which would close these statements, too.
      if (!Handles.drain(DRAIN_LIMIT)) {
        System.out.println("The safety net has not found all of them within " + DRAIN_LIMIT);
      }
    }
  }

  /** Returns how many statements were not closed. */
  private long queryAll(Orders orders) {
    long forgotten = 0;
    for (long i = 0; i < queries; i++) {
      if (i * GOLDEN % 1 < forget) {
        orders.askAndForget(i);
        forgotten++;
      } else {
        orders.ask(i);
      }
    }
    return forgotten;
  }
}
