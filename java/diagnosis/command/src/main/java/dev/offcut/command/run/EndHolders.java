package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.HeapDump;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.Jvm;
import dev.offcut.command.read.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what holds the open resources of each JVM of a run, when its program is done, and its
 * shutdown hooks with it. The JVM waits only for its heap dump, which is read when it has ended.
 * JVMs that end at the same time are dumped one after another.
 *
 * <p>What fails here is a sentence in the report.
 */
final class EndHolders {
  private static final String UNASKED =
      "The program was killed or halted, so nobody could look which objects hold open resources.";

  /** Where agents ask, and are answered. */
  private final Path folder;

  private final LongFunction<Optional<Path>> tables;

  private final double longest;
  private final Consumer<String> said;
  private final Map<Long, Holders> known = new ConcurrentHashMap<>();
  private final ExecutorService dumps = thread("offcut dumps");
  private final ExecutorService reads = thread("offcut holders");

  /** {@code longest}: seconds that the end of a program may wait for a dump. */
  EndHolders(
      Path folder, LongFunction<Optional<Path>> tables, double longest, Consumer<String> said) {
    this.folder = folder;
    this.tables = tables;
    this.longest = longest;
    this.said = said;
  }

  private static ExecutorService thread(String name) {
    return Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(name).factory());
  }

  /** A JVM waits to be looked at. */
  void look(long pid) {
    dumps.execute(() -> dump(pid));
  }

  private void dump(long pid) {
    try {
      Digest digest = published(pid);
      if (digest != null
          && digest.kinds().stream()
              .noneMatch(kind -> kind.open() > 0 && Holders.isLookedFor(kind.kind()))) {
        known.put(pid, Holders.ofNothingOpen(digest));
        return;
      }
      Jvm.of(pid); // opens its socket, too
      HeapDump dump = HeapDump.in(folder, pid, said);
      try {
        dump.write(used(digest), longest, "the end of the program waits for a heap dump,");
        reads.execute(() -> read(pid, dump));
      } catch (Failure e) {
        dump.close();
        throw e;
      }
    } catch (Failure e) {
      failed(pid, e);
    } finally {
      answer(pid);
    }
  }

  private void read(long pid, HeapDump dump) {
    try (dump) {
      known.put(pid, dump.read());
    } catch (Failure e) {
      failed(pid, e);
    }
  }

  private void failed(long pid, Failure e) {
    known.put(pid, Holders.leftOut(e.sentence()));
  }

  /** What the agent published last, behind the program's own shutdown hooks; null if nothing. */
  private @Nullable Digest published(long pid) throws Failure {
    Path file = tables.apply(pid).orElse(null);
    return file == null ? null : Sources.read(file.toString()).digest();
  }

  private static long used(@Nullable Digest digest) throws Failure {
    Long last =
        digest == null || digest.series().heapUsed().isEmpty()
            ? null
            : digest.series().heapUsed().getLast();
    if (last == null) {
      throw Failure.other("the size of the Java heap is not known");
    }
    return last;
  }

  private void answer(long pid) {
    try {
      Files.createFile(folder.resolve(pid + ".held"));
    } catch (IOException e) {
      // It waits in vain, but not for ever.
    }
  }

  /** Waits until all that was asked is known; each step of it has its limit. */
  void await() {
    dumps.close();
    reads.close();
  }

  Holders of(long pid) {
    return known.getOrDefault(pid, Holders.none(UNASKED));
  }
}
