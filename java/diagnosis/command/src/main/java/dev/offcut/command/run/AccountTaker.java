package dev.offcut.command.run;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.command.read.Jvm;
import dev.offcut.command.read.ProcessAccounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes accounts of the JVMs that a command starts: a second after each began, every ten seconds
 * and more often at first, when resident memory is higher than ever, and when it is about to end.
 * The agent in each says by files in a folder that it began, that it waits for the last account,
 * and that it waits for somebody who looks at its objects.
 *
 * <p>What fails here is an account less. Taking them costs this process CPU, and the program a
 * little: so the time between two is at least a hundred times the CPU time of the last, but for the
 * first, and at most so long that a rise still has points.
 */
final class AccountTaker implements AutoCloseable {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final Duration STEP = Duration.ofSeconds(1);

  /** The time between two, of a program that has run for so many times as long. */
  private static final int OF_AGE = 8;

  /** The longest pause, however much an account costs. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  /** What an agent says; a PID has no more digits. */
  private static final Pattern FILE = Pattern.compile("[0-9]{1,10}\\.(started|go|ending|holding)");

  /** The process that answers, for those who wait. */
  private static final String OWNER = "owner";

  /** How often the last one is tried. */
  private static final int TRIES = 3;

  /** Accounts for the cost of one. */
  private static final int RARITY = 100;

  /** A younger JVM may not have said yet that it has the agent. */
  private static final Duration SILENT = Duration.ofSeconds(5);

  /** How much more than before makes a peak. */
  private static final double PEAK = 1.1;

  /** Accounts of one JVM that are kept: half of those between the first and the last go. */
  private static final int MOST = 1000;

  private static final class Program {
    private final long pid;
    private final ProcessAccounts accounts;
    private final List<Taken> taken = new ArrayList<>();

    /** JVMs that it started, by PID, and that have not said that they have the agent. */
    private final Map<Long, String> others = new LinkedHashMap<>();

    private final long began = System.nanoTime();
    private long due;
    private long earliest;
    private long peak;
    private boolean attached;

    Program(long pid, @Nullable Path tables, boolean isGo) {
      this.pid = pid;
      this.accounts = isGo ? ProcessAccounts.ofGo(pid, tables) : new ProcessAccounts(pid, tables);
      // To attach sends a signal, at which a Go program ends.
      this.attached = isGo;
      this.due = System.nanoTime() + FIRST.toNanos();
    }

    /** {@code started}: JVMs that have said that they have the agent. */
    void take(boolean atEnd, Set<Long> started) throws IOException {
      if (!attached) {
        attached = true;
        if (!accounts.isAnswered()) {
          Jvm.open(pid);
        }
      }
      long cpu = cpuNanos();
      Taken now = accounts.take(atEnd);
      long cost = cpuNanos() - cpu + accounts.insideNanos();
      long ended = System.nanoTime();
      others.putAll(jvmsBelow(pid, SILENT));
      others.keySet().removeAll(started);
      taken.add(others.isEmpty() ? now : withLimit(now));
      if (taken.size() > MOST) {
        thin();
      }
      peak = Math.max(peak, now.account().resident());
      // The first takes long because this JVM begins, which costs the program nothing.
      earliest =
          ended + (taken.size() == 1 ? STEP.toNanos() : Math.min(LONGEST.toNanos(), RARITY * cost));
      long pause = Math.clamp((ended - began) / OF_AGE, STEP.toNanos(), PERIOD.toNanos());
      due = Math.max(earliest, ended + pause);
    }

    /** What this thread has used; 0 if the system does not say. */
    private static long cpuNanos() {
      try {
        String used = Files.readString(Path.of("/proc/thread-self/schedstat"));
        return Long.parseLong(used, 0, used.indexOf(' '), 10);
      } catch (IOException | RuntimeException e) {
        return 0;
      }
    }

    private Taken withLimit(Taken now) {
      Map.Entry<Long, String> one = others.entrySet().iterator().next();
      String whose =
          others.size() == 1
              ? "another JVM, which has no agent:"
              : others.size() + " other JVMs, which have no agent: one is";
      String sentence =
          """
          The program started %s PID %s, %s. What was lost there is not in this report. A script \
          that starts the program gives all its JVMs the agent."""
              .formatted(whose, one.getKey(), one.getValue());
      return new Taken(now.time(), now.account().withLimit(sentence), now.atEnd());
    }

    private void thin() {
      for (int i = taken.size() - 2; i > 0; i -= 2) {
        taken.remove(i);
      }
    }

    boolean isDue() {
      long now = System.nanoTime();
      return now - due >= 0 || (now - earliest >= 0 && peak > 0 && resident(pid) > PEAK * peak);
    }
  }

  private final Path folder;
  private final @Nullable LongFunction<Path> tables;
  private final @Nullable LongConsumer holding;
  private final WatchService watch;
  private final Map<Long, Program> running = new LinkedHashMap<>();
  private final Map<Long, Program> known = new LinkedHashMap<>();
  private final Thread thread;

  private AccountTaker(
      Path folder, @Nullable LongFunction<Path> tables, @Nullable LongConsumer holding)
      throws IOException {
    this.folder = folder;
    this.tables = tables;
    this.holding = holding;
    this.watch = FileSystems.getDefault().newWatchService();
    try {
      folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      // Last: an agent that finds this file waits for an answer.
      Files.writeString(folder.resolve(OWNER), String.valueOf(ProcessHandle.current().pid()));
    } catch (IOException e) {
      Files.deleteIfExists(folder.resolve(OWNER));
      watch.close();
      throw e;
    }
    this.thread = Thread.ofPlatform().daemon().name("offcut accounts").start(this::work);
  }

  /**
   * Begins; null on a system without such accounts.
   *
   * @param tables where the agent of a JVM publishes, by PID; null if agents count nothing
   * @param holding is told which JVM waits for somebody to look at its objects, and returns at
   *     once; or null
   */
  static @Nullable AccountTaker in(
      Path folder, @Nullable LongFunction<Path> tables, @Nullable LongConsumer holding)
      throws IOException {
    return Files.isReadable(Path.of("/proc/self/smaps"))
        ? new AccountTaker(folder, tables, holding)
        : null;
  }

  private void work() {
    try {
      boolean more = false;
      while (true) {
        WatchKey key = watch.poll(more ? 0 : STEP.toMillis(), TimeUnit.MILLISECONDS);
        if (key != null) {
          for (WatchEvent<?> event : key.pollEvents()) {
            hear(String.valueOf(event.context()));
          }
          key.reset();
        }
        more = takeDue();
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private void hear(String file) {
    if (!FILE.matcher(file).matches()) {
      return;
    }
    long pid = Long.parseLong(file, 0, file.indexOf('.'), 10);
    if (file.endsWith(".started")) {
      add(pid, false);
    } else if (file.endsWith(".go")) {
      add(pid, true);
    } else if (file.endsWith(".holding")) {
      if (holding != null) {
        holding.accept(pid);
      }
    } else {
      Program program = running.remove(pid);
      if (program != null) {
        for (int attempt = 0; attempt < TRIES && !take(program, true); attempt++) {
          // what it has may change meanwhile, or a command may come too late
        }
        answer(program.pid);
      }
    }
  }

  private void add(long pid, boolean isGo) {
    Program program = new Program(pid, tables == null ? null : tables.apply(pid), isGo);
    running.put(pid, program);
    synchronized (known) {
      known.put(pid, program);
    }
  }

  /** Begins with a Go program, which need not say that it is there: so files do it in its place. */
  void watchGo(long pid) throws IOException {
    Files.createFile(folder.resolve(pid + ".go"));
  }

  private void answer(long pid) {
    try {
      Files.createFile(folder.resolve(pid + ".accounted"));
    } catch (IOException e) {
      // It waits in vain, but not for long.
    }
  }

  /**
   * Takes at most one account, and returns whether it tried. An account may wait seconds for a
   * JVM's answer; programs that end meanwhile must be heard between two accounts.
   */
  private boolean takeDue() {
    for (Iterator<Program> all = running.values().iterator(); all.hasNext(); ) {
      Program program = all.next();
      if (!Jvm.isAlive(program.pid)) {
        all.remove();
      } else if (program.isDue()) {
        all.remove();
        running.put(program.pid, program); // behind the others
        take(program, false);
        return true;
      }
    }
    return false;
  }

  private boolean take(Program program, boolean atEnd) {
    synchronized (known) {
      try {
        program.take(atEnd, known.keySet());
        return true;
      } catch (IOException | RuntimeException e) {
        // It ended, nobody may look, or it looks like nothing that is known: an account less.
        program.due = System.nanoTime() + PERIOD.toNanos();
        program.earliest = program.due; // else a peak is due again at once
        return false;
      }
    }
  }

  /** What the system says, which costs nothing; 0 if it says nothing. */
  private static long resident(long pid) {
    try {
      String status = Files.readString(Path.of("/proc/" + pid + "/status"), StandardCharsets.UTF_8);
      int at = status.indexOf("VmRSS:");
      String line = at < 0 ? "" : status.substring(at, status.indexOf('\n', at));
      String digits = line.replaceAll("[^0-9]", "");
      return digits.isEmpty() ? 0 : Long.parseLong(digits) << 10;
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * JVMs that a process started, or one of those that it started, by PID: the file that runs. Those
   * younger than {@code least} are left out.
   */
  static Map<Long, String> jvmsBelow(long pid, Duration least) {
    Map<Long, String> found = new LinkedHashMap<>();
    Instant latest = Instant.now().minus(least);
    ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .forEach(
            process -> {
              String file = process.info().command().orElse("");
              boolean isOld = process.info().startInstant().orElse(latest).compareTo(latest) <= 0;
              if (isOld && file.endsWith("/java")) {
                found.put(process.pid(), file);
              }
            });
    return found;
  }

  /** Those of a JVM; of any if it is -1; null if there are none. */
  @Nullable Accounts of(long pid) {
    synchronized (known) {
      Program found = null;
      for (Program program : known.values()) {
        if ((pid < 0 || program.pid == pid) && !program.taken.isEmpty()) {
          found = program;
        }
      }
      return found == null ? null : new Accounts(List.copyOf(found.taken));
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(2));
      watch.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // It goes with this process.
    }
  }
}
