package dev.offcut.command.read;

import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.resident.Account;
import dev.offcut.resident.Accountant;
import dev.offcut.resident.Conversation;
import dev.offcut.resident.GoProgram;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes accounts of one process from outside. Where the system refuses that, in part or altogether,
 * the agent in the process is asked for an account from inside, and the better one counts. One
 * thread.
 */
public final class ProcessAccounts {
  /** Beside the tables, in place of their ending: the agent looks for it each second. */
  private static final String QUESTION = ".asked";

  private static final String ANSWER = ".account";

  /** The agent needs a second to see the question, and some tenths for its first account. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long STEP_MILLIS = 20;

  private final long pid;
  private final Accountant accountant;
  private @Nullable Path tables;

  private long insideNanos;

  /** Whether nobody inside would answer. */
  private boolean isAlone;

  private boolean isGo;

  /** Of a Go program. {@code tables}: where its packages publish, if they do. */
  public static ProcessAccounts ofGo(long pid, @Nullable Path tables) {
    ProcessAccounts accounts = new ProcessAccounts(pid, tables);
    accounts.isAlone = true;
    accounts.isGo = true;
    return accounts;
  }

  /** Of a process that need not be a JVM. */
  public ProcessAccounts(long pid) {
    this(pid, null);
  }

  /** {@code tables}: where the agent in it publishes, or soon will; null if that is not known. */
  public ProcessAccounts(long pid, @Nullable Path tables) {
    this.pid = pid;
    this.tables = tables;
    this.accountant = new Accountant(pid);
  }

  /** Whether the JVM has opened the socket on which it is asked; no tool need attach to it then. */
  public boolean isAnswered() throws IOException {
    return accountant.isAnswered();
  }

  /** One of now. Fails if the process ends, and if this user may not look at it. */
  public Taken take() throws IOException {
    return take(false);
  }

  /**
   * One of now. Fails if the process ends, and if this user may not look at it. {@code atEnd}:
   * whether the process waits for it before it ends.
   */
  public Taken take(boolean atEnd) throws IOException {
    insideNanos = 0;
    Account outside = null;
    IOException refused = null;
    try {
      outside = isGo ? accountant.take(figures()) : outside(atEnd);
    } catch (IOException e) {
      refused = e;
    }
    boolean alone = isAlone || Conversation.isSilent(pid);
    if (outside != null && (!accountant.wasRefused() || alone)) {
      return new Taken(SteadyClock.now(), outside, atEnd);
    }
    Taken inside = chosen(alone || !Jvm.isAlive(pid) ? null : inside(), outside, atEnd);
    if (inside != null) {
      return inside;
    }
    if (outside == null) {
      throw refused == null ? new IOException("no account") : refused;
    }
    return new Taken(SteadyClock.now(), outside, atEnd);
  }

  /** What the agent says; null if it says nothing, or less than there is from outside. */
  static @Nullable Taken chosen(@Nullable Taken inside, @Nullable Account outside, boolean atEnd) {
    if (inside == null || (outside != null && !explains(inside.account(), outside))) {
      return null;
    }
    Account account = inside.account();
    Account last = atEnd && account.hasManyLoaders() ? collected(account, outside) : account;
    return new Taken(inside.time(), last, atEnd);
  }

  /** What the agent says, with the loaders that a collection left, if there was one. */
  private static Account collected(Account inside, @Nullable Account outside) {
    return outside == null || outside.loaders().isEmpty() || outside.hasLoadersUncollected()
        ? inside.withLoadersUncollected()
        : inside.withLoaders(outside.loaders());
  }

  private Account outside(boolean atEnd) throws IOException {
    return atEnd ? accountant.takeLast() : accountant.take();
  }

  /** What the Go runtime says; null if nobody publishes it. */
  private GoProgram.@Nullable Figures figures() {
    AtomicReference<GoProgram.@Nullable Figures> known = new AtomicReference<>();
    try {
      if (tables != null && Files.exists(tables)) {
        DigestBuilder heard = new DigestBuilder(row -> known.set(figures(row, known.get())));
        Tables.readFile(tables, heard, Tables.Program.RUNS);
      }
    } catch (Failure e) {
      // It has just been begun, or has ended.
    }
    return known.get();
  }

  private static GoProgram.@Nullable Figures figures(
      Fields row, GoProgram.@Nullable Figures otherwise) {
    return row.name().equals("offcut.GoMemory")
        ? new GoProgram.Figures(
            Math.max(0, row.number("objects")),
            Math.max(0, row.number("stacks")),
            Math.max(0, row.number("metadata")))
        : otherwise;
  }

  /** How long the agent took for the last account; 0 if it was not asked. */
  public long insideNanos() {
    return insideNanos;
  }

  private static boolean explains(Account more, Account less) {
    return more.bytes(Part.UNEXPLAINED) <= less.bytes(Part.UNEXPLAINED);
  }

  /** What the agent says; null if there is none, or it does not answer. */
  private @Nullable Taken inside() {
    try {
      Path known = tables;
      if (known == null) {
        known = Jvm.openTables(pid);
        known = known == null ? Jvm.of(pid).tables() : known;
        tables = known;
      }
      Accounts answer = known == null ? null : ask(known);
      if (answer != null) {
        return answer.all().getLast();
      }
    } catch (Failure | IOException | RuntimeException e) {
      // It lets nobody attach, has ended, or this user may not write there.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    isAlone = true;
    return null;
  }

  private @Nullable Accounts ask(Path tables) throws IOException, InterruptedException {
    Path answer = beside(tables, ANSWER);
    Files.deleteIfExists(answer);
    try {
      Files.createFile(beside(tables, QUESTION));
    } catch (FileAlreadyExistsException e) {
      // Somebody else has just asked.
    }
    long began = System.nanoTime();
    long heard = began;
    while (!Files.exists(answer)) {
      if (System.nanoTime() - began >= PATIENCE.toNanos()) {
        Files.deleteIfExists(beside(tables, QUESTION));
        return null;
      }
      if (Files.exists(beside(tables, QUESTION))) {
        heard = System.nanoTime();
      }
      Thread.sleep(STEP_MILLIS);
    }
    insideNanos = System.nanoTime() - heard;
    return AccountsFile.parse(Files.readString(answer, StandardCharsets.UTF_8));
  }

  private static Path beside(Path tables, String ending) {
    String name = String.valueOf(tables.getFileName());
    return tables.resolveSibling(name.substring(0, name.lastIndexOf('.')) + ending);
  }
}
