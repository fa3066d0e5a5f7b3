package dev.offcut.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Processes that never ran, made of a seed: some services in two versions, on some hosts. Each has
 * a row for each window and name. The second version of the first service has a leak that the first
 * one lacks.
 */
public final class Demo {
  private static final List<String> SERVICES = List.of("orders", "billing", "search");
  private static final List<String> VERSIONS = List.of("1.4.1", "1.4.2");
  private static final List<String> KINDS =
      List.of("arena.confined", "buffer.direct", "unsafe", "closeable:com.example.Cursor");
  private static final List<String> PARTS =
      List.of(
          "Java heap, used",
          "metaspace",
          "code cache",
          "thread stacks",
          "malloc, in use",
          "malloc, kept: a trim returns it");

  private static final long HOUR_MS = 3_600_000;
  private static final long DAY_MS = 24 * HOUR_MS;
  private static final long PAGE = 4096;
  private static final int JVMS_OF_A_HOST = 4;

  /** Bytes of a resource of a kind. */
  private static final long[] SIZES = {64 << 10, 16 << 10, 4 << 10, 0};

  /** One window in so many of a leaking process has a lost resource. */
  private static final int RARELY = 30;

  /** In so many of 100 windows a part of resident memory is as it was. */
  private static final int STEADY = 70;

  private final Random random;
  private final long startMs;
  private final long untilMs;
  private final String service;
  private final boolean leaks;
  private final List<Rows.Window> windows = new ArrayList<>();
  private final List<Rows.Site> sites = new ArrayList<>();
  private final List<Rows.Stack> stacks = new ArrayList<>();

  private Demo(Random random, long startMs, long untilMs, String service, boolean leaks) {
    this.random = random;
    this.startMs = startMs;
    this.untilMs = untilMs;
    this.service = service;
    this.leaks = leaks;
  }

  /**
   * The rows of a process.
   *
   * @param number of the process, from 0; it and the seed make all figures
   * @param firstMs when the first processes began; every second one begins a day later, in the
   *     second version
   */
  public static Rows rows(int number, long firstMs, int hours, long seed) {
    String service = SERVICES.get(number / 2 % SERVICES.size());
    boolean second = number % 2 == 1;
    Random random = new Random(seed * 31 + number);
    long startMs = firstMs + (second ? DAY_MS : 0) + random.nextInt(10_000);
    boolean leaks = service.equals("billing") || (second && service.equals("orders"));
    Demo demo = new Demo(random, startMs, startMs + hours * HOUR_MS, service, leaks);
    return demo.rows(
        number, VERSIONS.get(second ? 1 : 0), "host-" + (number / 2 / JVMS_OF_A_HOST + 1), seed);
  }

  private Rows rows(int number, String version, String host, long seed) {
    long pid = 1000L + number;
    String source = new Hash().add("demo").add(seed + " " + number).digits(Hash.LONG_DIGITS);
    String process =
        new Hash()
            .add(host)
            .add(String.valueOf(pid))
            .add(String.valueOf(startMs))
            .digits(Hash.SHORT_DIGITS);
    for (int kind = 0; kind < KINDS.size(); kind++) {
      addKind(kind);
    }
    addGauge(History.PROCESS, "resident", 400L << 20);
    addGauge(History.PROCESS, "heap", 256L << 20);
    for (String part : PARTS) {
      addGauge(History.PART, part, 20L << 20);
    }
    return new Rows(
        new Rows.Process(
            source,
            process,
            service,
            host,
            pid,
            startMs,
            untilMs,
            version,
            "com.example." + capital(),
            "com.example." + capital(),
            "25.0.3",
            "sample",
            128,
            true,
            "by itself",
            "run",
            "demo-" + number + ".offcut",
            startMs),
        windows,
        sites,
        stacks,
        List.of());
  }

  private String capital() {
    return Character.toUpperCase(service.charAt(0)) + service.substring(1);
  }

  private void addKind(int kind) {
    long size = SIZES[kind];
    boolean sized = size > 0;
    boolean lossy = leaks && kind == (service.equals("orders") ? 0 : 1);
    long allOpened = 0;
    long allClosed = 0;
    long allCollected = 0;
    long allLost = 0;
    long held = 0;
    for (long window = startMs / History.WINDOW_MS;
        window * History.WINDOW_MS < untilMs;
        window++) {
      long opened = random.nextInt(60);
      long open = allOpened - allClosed - allCollected - allLost;
      long ended = Math.min(open + opened, opened + random.nextInt(9) - 4);
      long lost = lossy && ended > 0 && random.nextInt(RARELY) == 0 ? 1 : 0;
      long collected = kind == 1 ? Math.max(0, ended - lost) / 4 : 0;
      long closed = Math.max(0, ended - lost - collected);
      allOpened += opened;
      allClosed += closed;
      allCollected += collected;
      allLost += lost;
      open = allOpened - allClosed - allCollected - allLost;
      held = (open + allLost) * size;
      windows.add(
          new Rows.Window(
              window * History.WINDOW_MS,
              History.WINDOW_MS,
              History.KIND,
              KINDS.get(kind),
              opened,
              closed,
              collected,
              lost,
              0,
              opened * size,
              lost * size,
              open,
              sized ? Long.valueOf(held) : null,
              sized ? Long.valueOf(held + random.nextInt(8) * size) : null));
    }
    addSite(kind, allOpened, allClosed, allCollected, allLost);
  }

  private void addSite(int kind, long opened, long closed, long collected, long lost) {
    String main = "com.example." + capital();
    String line = main + ".load(" + capital() + ".java:" + (40 + kind) + ")";
    String frames = line + "\n" + main + ".main(" + capital() + ".java:12)";
    String stack = new Hash().add(frames).digits(Hash.SHORT_DIGITS);
    long open = opened - closed - collected - lost;
    long size = SIZES[kind];
    boolean sized = size > 0;
    sites.add(
        new Rows.Site(
            History.KIND,
            KINDS.get(kind),
            stack,
            line,
            opened,
            closed,
            collected,
            lost,
            0,
            open,
            bytes(sized, open * size),
            bytes(sized, lost * size),
            opened / 128 + 1,
            false,
            open / 10,
            bytes(sized, open * size / 10),
            lost / 10,
            bytes(sized, lost * size / 10)));
    stacks.add(new Rows.Stack(stack, line, frames));
  }

  private static @Nullable Long bytes(boolean sized, long bytes) {
    return sized ? bytes : null;
  }

  private void addGauge(String what, String name, long about) {
    long bytes = about;
    for (long window = startMs / History.WINDOW_MS;
        window * History.WINDOW_MS < untilMs;
        window++) {
      if (random.nextInt(100) >= STEADY) {
        bytes = Math.max(PAGE, bytes + (random.nextInt(201) - 100) * PAGE);
      }
      windows.add(
          new Rows.Window(
              window * History.WINDOW_MS,
              History.WINDOW_MS,
              what,
              name,
              0,
              0,
              0,
              0,
              0,
              0,
              0,
              null,
              bytes,
              bytes));
    }
  }
}
