package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.Jvm;
import dev.offcut.command.read.Sources;
import dev.offcut.command.read.Sources.Published;
import dev.offcut.command.show.DiffText;
import dev.offcut.command.show.HoldersText;
import dev.offcut.command.show.WatchLines;
import dev.offcut.resident.Conversation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code offcut watch}. */
@Command(
    name = "watch",
    sortOptions = false,
    description =
        "Watches a running JVM: prints a line every few seconds with resident memory by parts and"
            + " the open bytes of each kind. After the second of two marks it shows what was opened"
            + " since the first and is still held, by kind and line, and which parts of resident"
            + " memory changed. If the agent is not there, it is attached.",
    footer = {
      "",
      "On a terminal, Enter sets the first mark, and Enter again the second, which ends the"
          + " command. Elsewhere the first mark is set at once, and the second by --for. Ctrl-C and"
          + " the end of the program set the second mark, too."
    })
public final class WatchCommand extends Word {
  private static final long STEP_MILLIS = 100;

  /** Longer than {@link Published#readNow} may take: that ends first, and says why. */
  private static final long MOST_EXIT_SECONDS = 60;

  /** At least so many times what one look costs pass until the next. */
  private static final int RARITY = 100;

  @Parameters(paramLabel = "PID", description = "The program; `offcut ps` lists them.")
  private String pid = "";

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Time.class,
      description =
          "Set the first mark at once, and the second after TIME (60s, 5m, 1h); then end.")
  private @Nullable Duration duration;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = Time.class,
      description =
          "Time between two lines (default: 5s). It is longer if reading the program's memory takes"
              + " much time.")
  private Duration every = Duration.ofSeconds(5);

  @Mixin private final HoldersOption holders = new HoldersOption();

  private final LinkedBlockingQueue<Boolean> keys = new LinkedBlockingQueue<>();
  private volatile boolean stopped;
  private boolean saidOld;

  public WatchCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  private record Look(Digest digest, long nanos) {
    /** In seconds. */
    double since(Look other) {
      return (nanos - other.nanos) / 1e9;
    }
  }

  @Override
  public Integer call() throws Failure {
    long number = Sources.pid(pid);
    attach(number);
    Published published = new Published(number);
    CountDownLatch told = new CountDownLatch(1);
    Thread atExit = new Thread(() -> stop(told));
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      readKeys();
      watch(number, published);
      out.flush();
      return ExitCode.OK;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.OK;
    } finally {
      told.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException e) {
        // It runs already: a signal came.
      }
    }
  }

  private void attach(long number) throws Failure {
    Jvm jvm = Sources.hasTables(number) ? null : Jvm.of(number);
    if (jvm != null && jvm.agent() == null) {
      jvm.load(
          AgentOptions.jar(),
          String.join(",", new AgentOptions().options(AgentOptions.Level.sample)));
      err.println(
          "offcut: the agent is in the JVM "
              + pid
              + " now; it misses everything that was opened before");
    }
  }

  /** In the JVM's shutdown, which a signal begins: waits until the result is printed. */
  private void stop(CountDownLatch told) {
    stop();
    try {
      told.await(MOST_EXIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sets the second mark, if there is a first one. Either way the command ends. Any thread. */
  public void stop() {
    stopped = true;
    keys.add(true);
  }

  /** Where nobody can press a key, stdin may be somebody else's. */
  private void readKeys() {
    if (Terminal.hasKeys()) {
      Thread.ofPlatform().daemon().name("offcut keys").start(this::takeLines);
    }
  }

  private void takeLines() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))) {
      while (lines.readLine() != null) {
        keys.add(true);
      }
    } catch (IOException e) {
      // No more keys then.
    }
  }

  private void watch(long number, Published published) throws Failure, InterruptedException {
    WatchLines lines = new WatchLines();
    Look first = null;
    boolean atOnce = duration != null || !Terminal.hasKeys();
    Look last = look(published, lines, atOnce);
    if (Terminal.hasKeys()) {
      err.println("offcut: Enter sets the first mark, Enter again the second");
    }
    if (atOnce) {
      first = marked(last);
    }
    long due = last.nanos() + every.toNanos();
    while (Jvm.isAlive(number)) {
      boolean marks = keys.poll(STEP_MILLIS, TimeUnit.MILLISECONDS) != null || isOver(first);
      if (!marks && System.nanoTime() - due < 0) {
        continue;
      }
      if (stopped && first == null) {
        break;
      }
      long began = System.nanoTime();
      try {
        last = look(published, lines, marks);
      } catch (Failure e) {
        if (Jvm.isAlive(number)) {
          throw e;
        }
        break; // its tables went with it
      }
      sayIfOld(published);
      long cost = Conversation.isSilent(number) ? 0 : System.nanoTime() - began;
      due = began + Math.max(every.toNanos(), RARITY * cost);
      if (marks && first != null) {
        break;
      }
      if (marks) {
        first = marked(last);
      }
    }
    if (!Jvm.isAlive(number)) {
      err.println(
          "offcut: the program %s has ended; its last figures are %s old"
              .formatted(pid, Figures.seconds((System.nanoTime() - last.nanos()) / 1e9)));
    }
    if (first == null) {
      return;
    }
    if (last.nanos() == first.nanos() && !Jvm.isAlive(number)) {
      throw Failure.unreadable("it ended before the second mark: there is nothing to compare");
    }
    Digest second = holders.isAsked() ? withHolders(number, last.digest()) : last.digest();
    out.println();
    out.print(DiffText.retained(first.digest(), second, last.since(first)));
    if (second.holders() != null) {
      out.print(HoldersText.of(second.holders(), second, false));
    }
  }

  /** Once, each time that a program stops publishing. */
  private void sayIfOld(Published published) {
    Duration age = published.age();
    if (age.compareTo(Conversation.PATIENCE) < 0) {
      saidOld = false;
    } else if (!saidOld) {
      saidOld = true;
      err.println(
          """
          offcut: the program %s has not published anything for %s s; the counts that are shown \
          are that old"""
              .formatted(pid, age.toSeconds()));
    }
  }

  /** A signal ends this command within seconds, and a program that has ended has no heap. */
  private Digest withHolders(long number, Digest known) {
    try {
      if (stopped) {
        throw Failure.other("a signal ended the command");
      }
      return known.with(holders.of(number, known, err));
    } catch (Failure e) {
      return known.with(Holders.leftOut(e.sentence()));
    }
  }

  private boolean isOver(@Nullable Look first) {
    return first != null
        && duration != null
        && System.nanoTime() - first.nanos() >= duration.toNanos();
  }

  /** {@code marks}: whether nothing may be missing that was counted by now. */
  private Look look(Published published, WatchLines lines, boolean marks) throws Failure {
    Digest digest = marks ? published.readNow() : published.read();
    Look look = new Look(digest, System.nanoTime());
    out.print(lines.next(look.digest()));
    out.flush();
    return look;
  }

  private Look marked(Look look) {
    err.println("offcut: the first mark is set");
    return look;
  }

  static final class Time implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,6}(?:\\.\\d+)?)(s|m|min|h)?");

    @Override
    public Duration convert(String text) {
      Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
      double seconds = form.matches() ? seconds(form) : 0;
      if (seconds == 0) {
        throw new TypeConversionException(
            "'" + text + "' is not a time; examples are 60s, 5m and" + " 1h");
      }
      return Duration.ofMillis(Math.max(1, Math.round(1000 * seconds)));
    }

    private static double seconds(Matcher form) {
      double unit =
          switch (String.valueOf(form.group(2))) {
            case "h" -> 3600;
            case "m", "min" -> 60;
            default -> 1;
          };
      return unit * Double.parseDouble(form.group(1));
    }
  }
}
