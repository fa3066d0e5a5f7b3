package dev.offcut.command.read;

import dev.offcut.resident.Conversation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What stands for SRC: the PID of a program, the archive of a run, tables, or a recording. It is
 * read once, as a {@link Reading}. What a program publishes is also read as long as the program
 * runs, by {@link LiveTables}.
 */
public final class Sources {
  private static final int MOST_TURNS = 40;
  private static final int FIRST_TURNS = 10;
  private static final long TURN_MILLIS = 100;
  private static final Duration LIVE_PERIOD = Duration.ofSeconds(1);
  private static final Duration ACCOUNT_PERIOD = Duration.ofSeconds(10);

  private Sources() {}

  public static Reading read(String source) throws Failure {
    return isPid(source)
        ? ofProcess(pid(source))
        : read(path(source), null, Tables.Program.UNKNOWN);
  }

  /** Likewise of a program that has ended. {@code outside}: what lies in no file beside it yet. */
  public static Reading ofEnded(Path source, Outside outside) throws Failure {
    return read(source, outside, Tables.Program.ENDED);
  }

  /** {@code outside}: null for what lies beside it. */
  private static Reading read(Path path, @Nullable Outside outside, Tables.Program program)
      throws Failure {
    if (Files.isDirectory(path)) {
      throw Failure.unreadable("no file of a run and no recording lies in " + path);
    }
    if (!Files.exists(path)) {
      throw Failure.unreadable(
          """
          there is no %s; SRC is a PID (`offcut ps` lists them), the file of a run (*.offcut) or a \
          recording"""
              .formatted(path));
    }
    if (RunArchive.isAt(path)) {
      return RunArchive.read(path);
    }
    Outside known = outside == null ? withAccounts(null, path) : outside;
    return Tables.isAt(path) ? Tables.read(path, known, program) : Recordings.ofFile(path, known);
  }

  /**
   * Reads what several files say of one program into a builder: its recordings, and the archive or
   * the tables of the same run.
   */
  public static Reading read(List<Path> files, DigestBuilder to) throws Failure {
    List<Path> recordings = new ArrayList<>();
    RunArchive.Ended ended = null;
    Boolean byItself = null;
    for (Path file : files) {
      if (RunArchive.isAt(file)) {
        ended = RunArchive.read(file, to);
        byItself = ended.byItself();
      } else if (Tables.isAt(file)) {
        byItself = Tables.readFile(file, to, Tables.Program.UNKNOWN);
      } else {
        recordings.add(file);
      }
    }
    Recordings.read(recordings, to);
    boolean complete = byItself == null || byItself;
    try {
      Digest digest = to.digest(complete);
      return new Reading(ended == null ? digest : ended.tell(digest), !complete);
    } catch (RuntimeException | VirtualMachineError e) {
      throw Recordings.damaged(files.getFirst().toString(), e);
    }
  }

  /**
   * What to read of what was given: of a folder in which runs left something, the last of them; of
   * nothing, the last that any run left, here or where runs have their folders; and of a recording,
   * or tables, the archive of the same run beside it, which has more.
   */
  public static String found(String source) throws Failure {
    if (source.isEmpty()) {
      return LeftRuns.all(Path.of("")).stream()
          .filter(left -> !left.goesOn())
          .map(LeftRuns.Left::source)
          .filter(Objects::nonNull)
          .findFirst()
          .map(Path::toString)
          .orElseThrow(
              () ->
                  Failure.other(
                      "there are no files of runs in this folder; give a PID (`offcut ps` lists"
                          + " them), a recording or a directory, or make one: offcut run -- java"
                          + " …"));
    }
    if (isPid(source)) {
      return source;
    }
    Path given = path(source);
    Path better = Files.isDirectory(given) ? LeftRuns.lastIn(given) : RunArchive.beside(given);
    return better == null || better.equals(given) ? source : better.toString();
  }

  /**
   * What is published is written once a second: of a program that has just begun there is soon
   * something. A program whose tables are open is not asked for them, so they can be read while it
   * does not respond.
   */
  private static Reading ofProcess(long pid) throws Failure {
    for (int turn = 0; ; turn++) {
      try {
        return published(pid, tablesOf(pid, FIRST_TURNS));
      } catch (Failure e) {
        if (e.exitCode() != Failure.UNREADABLE || turn == MOST_TURNS || !pause()) {
          throw e;
        }
      }
    }
  }

  private static List<String> with(List<String> sentences, String last) {
    List<String> all = new ArrayList<>(sentences);
    all.add(last);
    return List.copyOf(all);
  }

  private static String sentence(String failure) {
    return Character.toUpperCase(failure.charAt(0)) + failure.substring(1) + ".";
  }

  private static Reading published(long pid, Path tables) throws Failure {
    Jvm.open(pid); // for the account
    Reading reading = Tables.read(tables, withAccounts(accounts(pid), tables), Tables.Program.RUNS);
    if (!Conversation.isSilent(pid)) {
      return reading;
    }
    Digest digest = reading.digest();
    String silent = sentence(Jvm.silent(pid, Conversation.PATIENCE).sentence());
    return new Reading(
        digest.with(digest.target(), with(digest.notes(), silent), with(digest.limits(), silent)),
        reading.cutOff());
  }

  /** Whether the agent in a program publishes tables, which it does soon after it came. */
  public static boolean publishes(long pid) throws Failure {
    return soon(pid, FIRST_TURNS) != null;
  }

  /** Whether there are tables of a program, which can be read without asking it. */
  public static boolean hasTables(long pid) {
    return Jvm.openTables(pid) != null;
  }

  private static Path tablesOf(long pid, int turns) throws Failure {
    Path tables = soon(pid, turns);
    if (tables == null) {
      throw Failure.other(
          "the agent in the JVM %s has published nothing; `offcut attach %s` says why"
              .formatted(pid, pid));
    }
    return tables;
  }

  private static @Nullable Path soon(long pid, int turns) throws Failure {
    Path open = Jvm.openTables(pid);
    Path tables = open != null ? open : Jvm.withAgent(pid).tables();
    for (int turn = 0; tables == null && turn < turns && pause(); turn++) {
      tables = Jvm.withAgent(pid).tables();
    }
    return tables;
  }

  /** What the agent of a program publishes, read whenever it is asked for. One thread. */
  public static final class Published {
    private static final int MOST_SILENT_TURNS = 300;

    private final long pid;
    private final Path tables;
    private final ProcessAccounts accounts;

    /** Fails if the agent is not there, or counts nothing. */
    public Published(long pid) throws Failure {
      this.pid = pid;
      tables = tablesOf(pid, MOST_TURNS);
      accounts = new ProcessAccounts(pid);
    }

    public Duration age() {
      return Duration.ofMillis(Math.max(0, System.currentTimeMillis() - Tables.looked(tables)));
    }

    /** What it counted up to a second ago, and where resident memory is now. */
    public Digest read() throws Failure {
      return Tables.read(tables, withAccounts(accounts(accounts), tables), Tables.Program.RUNS)
          .digest();
    }

    /**
     * Likewise, and nothing is missing that was counted before the call. It takes a second, or more
     * on a busy machine. Fails if the agent publishes nothing for 30 seconds.
     */
    public Digest readNow() throws Failure {
      long seen = Tables.looked(tables);
      // The first change may be of a look that began before the call; the times are the agent's
      // own.
      int changes = 0;
      for (int turn = 0; changes < 2 && Jvm.isAlive(pid) && pause(); turn++) {
        long looked = Tables.looked(tables);
        if (looked != seen) {
          seen = looked;
          changes++;
        }
        if (turn == MOST_SILENT_TURNS) {
          throw Failure.other(
              "the agent in the JVM "
                  + pid
                  + " has published no counts for 30 s; look whether the program is stopped");
        }
      }
      return read();
    }
  }

  /** The same of a process without an agent: where its resident memory is. */
  public static Reading look(String source) throws Failure {
    if (!isPid(source)) {
      return read(source);
    }
    long pid = pid(source);
    Jvm jvm = null;
    Failure refused = null;
    try {
      if (Jvm.openTables(pid) != null) {
        return ofProcess(pid);
      }
      jvm = Jvm.of(pid);
      if (jvm.tables() != null) {
        return ofProcess(pid);
      }
    } catch (Failure e) {
      refused = e;
    }
    Accounts accounts = accounts(pid);
    if (accounts == null) {
      if (refused == null && !Jvm.isAlive(pid)) {
        refused = Failure.unreachable("the process " + pid + " has ended");
      }
      throw refused == null || Files.exists(Path.of("/proc", source))
          ? Failure.unreachable(
              "this user may not read the memory of the process "
                  + pid
                  + "; run the command as its user, in its container")
          : refused;
    }
    DigestBuilder builder = new DigestBuilder();
    builder.accounts(accounts);
    if (jvm == null) {
      builder.process(pid, name(pid), "");
      if (refused != null && refused.isUnanswered()) {
        builder.note(sentence(refused.sentence()));
      }
    } else {
      builder.process(pid, jvm.main(), jvm.java());
      builder.note(
          "Observed from outside. `offcut attach "
              + pid
              + "` also counts what the program opens and closes.");
    }
    return new Reading(builder.digest(false), false);
  }

  private static String name(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().command())
        .map(command -> command.substring(command.lastIndexOf('/') + 1))
        .orElse("process");
  }

  /** Asked again and again, it gives an account of each ten seconds, or null. One thread. */
  private static Supplier<@Nullable Accounts> accountsOf(long pid) {
    return new Supplier<>() {
      private final ProcessAccounts process = new ProcessAccounts(pid);
      private @Nullable Accounts last;
      private long due = System.nanoTime();

      @Override
      public @Nullable Accounts get() {
        if (System.nanoTime() - due >= 0) {
          due = System.nanoTime() + ACCOUNT_PERIOD.toNanos();
          last = accounts(process);
        }
        return last;
      }
    };
  }

  /** An account of now; null where there is none to be had: on another system, or of a stranger. */
  private static @Nullable Accounts accounts(long pid) {
    return accounts(new ProcessAccounts(pid));
  }

  private static @Nullable Accounts accounts(ProcessAccounts process) {
    try {
      return new Accounts(List.of(process.take()));
    } catch (IOException e) {
      return null;
    }
  }

  private static Outside withAccounts(@Nullable Accounts accounts, Path tables) {
    return new Outside(accounts, NativeCallers.beside(tables), null);
  }

  private static boolean pause() {
    try {
      Thread.sleep(TURN_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether it stands for a process. A file of that name is told apart by a ./ before it. */
  public static boolean isPid(String source) {
    return !source.isEmpty() && source.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  public static long pid(String source) throws Failure {
    try {
      if (isPid(source)) {
        return Long.parseLong(source);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw Failure.unreachable(source + " is no PID; `offcut ps` lists them");
  }

  private static Path path(String source) throws Failure {
    try {
      return Path.of(source);
    } catch (InvalidPathException e) {
      throw Failure.unreadable(source + " is no PID and no file's name");
    }
  }

  /**
   * What a source said.
   *
   * @param cutOff whether its end is missing, though nobody writes to it any more
   */
  public record Reading(Digest digest, boolean cutOff) {}

  /**
   * What the agent of a program publishes.
   *
   * @param heard is given what is known, each second, on a thread of its own
   */
  public static LiveTables live(long pid, Consumer<Digest> heard) throws Failure {
    Path tables = tablesOf(pid, FIRST_TURNS);
    return new LiveTables(() -> Optional.of(tables), accountsOf(pid), heard);
  }

  /**
   * The tables of a program, read each second once there are any. What cannot be read is told the
   * next time. Closing it ends that.
   */
  public static final class LiveTables implements AutoCloseable {
    private final Thread thread;

    /** Begins. {@code published}: where they are, if there are any yet. */
    public LiveTables(
        Supplier<Optional<Path>> published,
        Supplier<@Nullable Accounts> accounts,
        Consumer<Digest> heard) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("offcut tables")
              .start(() -> read(published, accounts, heard));
    }

    private static void read(
        Supplier<Optional<Path>> published,
        Supplier<@Nullable Accounts> accounts,
        Consumer<Digest> heard) {
      try {
        while (true) {
          Path tables = published.get().orElse(null);
          if (tables == null) {
            Thread.sleep(TURN_MILLIS);
            continue;
          }
          try {
            heard.accept(
                Tables.read(tables, withAccounts(accounts.get(), tables), Tables.Program.RUNS)
                    .digest());
          } catch (Failure e) {
            // It has just been begun, or went with its program.
          }
          Thread.sleep(LIVE_PERIOD);
        }
      } catch (InterruptedException e) {
        // closed
      }
    }

    @Override
    public void close() {
      thread.interrupt();
      try {
        thread.join(Duration.ofSeconds(2));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
