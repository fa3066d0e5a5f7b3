package dev.offcut.command.run;

import dev.offcut.command.read.LeftRuns;
import dev.offcut.command.read.Leftovers;
import dev.offcut.command.read.Tables;
import dev.offcut.command.read.Temporary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A directory of its own for one run: the tables that each JVM publishes, and, where that was asked
 * for, what its Flight Recorder writes while it runs and leaves at its end. Closing it deletes all,
 * and so does the end of this JVM, unless it is {@linkplain #keep kept}.
 */
final class Workspace implements AutoCloseable {
  private static final long NO_PROCESS = -1;
  private static final String BEGIN = "recording-";
  private static final String END = ".jfr";
  private static final Pattern OF_PROCESS =
      Pattern.compile("(?:" + BEGIN + ")?([0-9]{1,10})(?:\\.jfr|\\.tables)");

  private final Path folder;
  private final Temporary.Lock lock;
  private final Thread atExit = new Thread(this::delete);
  private volatile boolean isKept;

  Workspace() throws IOException {
    folder = Temporary.create(Temporary.base(), LeftRuns.WORKSPACE);
    lock = Temporary.Lock.of(folder);
    Files.createDirectory(accounts());
    Files.createDirectory(tables());
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Where it is: as long as it goes on, and if this command is killed. */
  Path folder() {
    return folder;
  }

  /** Through it the agents ask for accounts. */
  Path accounts() {
    return folder.resolve("accounts");
  }

  /** Deletes the folder of accounts: a Go program would otherwise ask there and wait. */
  void answerNobody() {
    try {
      Files.deleteIfExists(accounts());
    } catch (IOException e) {
      // It waits in vain, but not for long.
    }
  }

  Path tables() {
    return folder.resolve("tables");
  }

  Path expectedTables(long pid) {
    return tables().resolve(pid + Tables.ENDING);
  }

  Optional<Path> tablesOf(long pid) {
    Path file = expectedTables(pid);
    return Files.exists(file) ? Optional.of(file) : Optional.empty();
  }

  /** The ones to show, of a command that may start several JVMs: the first. */
  Optional<Path> anyTables() {
    return Leftovers.list(tables()).stream().filter(file -> pidOf(file) >= 0).findFirst();
  }

  /** The processes of the JVMs that left anything, the last that ended first. */
  List<Long> processes() {
    Map<Long, Long> ended = new HashMap<>();
    for (Path file : Leftovers.list(tables())) {
      ended.merge(pidOf(file), Tables.looked(file), Math::max);
    }
    for (Path file : Leftovers.list(folder)) {
      if (isRecording(file)) {
        ended.merge(pidOf(file), file.toFile().lastModified(), Math::max);
      }
    }
    ended.remove(NO_PROCESS);
    return ended.entrySet().stream()
        .sorted(Comparator.comparingLong(Map.Entry<Long, Long>::getValue).reversed())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The process whose file it is, by its name; -1 of any other file. */
  private static long pidOf(Path file) {
    String name = String.valueOf(file.getFileName());
    Matcher matcher = OF_PROCESS.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : NO_PROCESS;
  }

  /** Below it each JVM has a directory of its own. */
  Path repository() {
    return folder.resolve("repository");
  }

  /** Where the agent leaves the recording of each JVM: it knows its own PID. */
  String agentsRecording() {
    return folder.resolve(BEGIN + "%p" + END).toString();
  }

  @Nullable Path recordingOf(long pid) {
    Path file = folder.resolve(BEGIN + pid + END);
    return isRecording(file) ? file : null;
  }

  private static boolean isRecording(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(BEGIN) && name.endsWith(END) && file.toFile().length() > 0;
  }

  /** From now on nothing deletes it; returns where it is. */
  Path keep() {
    isKept = true;
    return folder;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    delete();
  }

  private void delete() {
    if (isKept) {
      return;
    }
    try {
      Temporary.delete(folder);
    } catch (IOException e) {
      // `clean` removes it
    }
    lock.close();
  }
}
