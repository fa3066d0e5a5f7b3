package dev.offcut.account;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Stacks of threads, by their stack pointers. A stack is a mapping behind its guard pages. Stacks
 * of threads that run just then, and those that the C library keeps of ended threads, are known by
 * their guard pages and their size alone.
 */
final class ThreadStacks {
  /** Threads of one program differ in their guard pages. */
  private static final long SPREAD = 128 << 10;

  /** The largest stack without guard pages. */
  private static final long MOST_UNGUARDED = 8 << 20;

  /** Names of fewer threads are not worth a file read each. */
  private static final int FEWEST_NAMED = 100;

  private static final int MOST_NAMES = 5;

  /** In place of a stack pointer: nobody may ask. */
  private static final long REFUSED = -1;

  /** Numbers in a name, and what the system's 15 characters leave of the last one. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9]+");

  private static final Pattern END = Pattern.compile("[-#_ .]+$");

  private ThreadStacks() {}

  /**
   * All threads.
   *
   * @param names the most frequent first; empty if there are few threads
   * @param arePointersKnown whether threads could be asked for their stack pointers
   */
  record Threads(int count, List<Account.Group> names, boolean arePointersKnown) {}

  /** Claims all stacks. */
  static Threads claim(Path process, List<Mapping> mappings, Claims claims) throws IOException {
    List<Path> all = new ArrayList<>();
    List<Long> pointers = new ArrayList<>();
    boolean isRefused = false;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path task : tasks) {
        all.add(task);
        long pointer = pointer(task);
        if (pointer > 0) {
          pointers.add(pointer);
        }
        isRefused |= pointer == REFUSED;
      }
    }
    boolean isKnown = !isRefused || !pointers.isEmpty();
    long usual = isKnown ? usualSize(mappings, pointers) : usualSize(mappings, all.size(), claims);
    for (long pointer : pointers) {
      int index = Mapping.indexOf(mappings, pointer);
      if (index >= 0) {
        claim(mappings, index, pointer, usual, claims);
      }
    }
    for (int index = 1; index < mappings.size(); index++) {
      Mapping mapping = mappings.get(index);
      if (isStackShaped(mappings, index)
          && Math.abs(size(mappings, index) - usual) <= SPREAD
          && claims.isFree(mapping.start(), mapping.end())) {
        claims.add(mapping, Part.STACKS, "");
      }
    }
    List<Account.Group> names = all.size() < FEWEST_NAMED ? List.of() : names(all);
    return new Threads(all.size(), names, isKnown);
  }

  private static List<Account.Group> names(List<Path> tasks) {
    Map<String, Integer> counts = new HashMap<>();
    for (Path task : tasks) {
      try {
        String name = Files.readString(task.resolve("comm"), StandardCharsets.UTF_8).strip();
        counts.merge(family(name), 1, Integer::sum);
      } catch (IOException e) {
        // It ended, or its name is no text.
      }
    }
    return counts.entrySet().stream()
        .map(entry -> new Account.Group(entry.getKey(), entry.getValue(), 0))
        .sorted(
            Comparator.comparingInt(Account.Group::count)
                .reversed()
                .thenComparing(Account.Group::name))
        .limit(MOST_NAMES)
        .toList();
  }

  /** The name without its number: {@code pool-#-thread} of {@code pool-1-thread-12}. */
  static String family(String name) {
    String without = END.matcher(NUMBERS.matcher(name).replaceAll("#")).replaceAll("");
    return without.isEmpty() ? name : without;
  }

  /** {@code 202 0x… 0x… … SP PC}: a system call, its arguments, and two registers; or running. */
  private static long pointer(Path task) {
    try {
      String[] words =
          Files.readString(task.resolve("syscall"), StandardCharsets.US_ASCII)
              .trim()
              .split(" ", -1);
      return words.length < 3 ? 0 : Long.decode(words[words.length - 2]);
    } catch (NumberFormatException e) {
      return 0;
    } catch (IOException e) {
      return Files.exists(task) ? REFUSED : 0; // else it ended
    }
  }

  private static void claim(
      List<Mapping> mappings, int index, long pointer, long usual, Claims claims) {
    Mapping mapping = mappings.get(index);
    if (!mapping.isAnonymous()) {
      return; // [stack], or a thread on a stack of its program's own
    }
    long end = mapping.end();
    long guard = guard(mappings, index);
    if (guard == 0 && mapping.size() > MOST_UNGUARDED) {
      return; // on a stack in a heap, as a thread of Go
    }
    // What lies behind it may have become one mapping with it.
    if (guard != 0 && usual != 0 && pointer < guard + usual && end > guard + usual + SPREAD) {
      end = guard + usual;
    }
    claims.add(mapping.start(), end, Part.STACKS, "");
  }

  /** Where the guard pages before a mapping begin; 0 if there are none. */
  private static long guard(List<Mapping> mappings, int index) {
    if (index == 0) {
      return 0;
    }
    Mapping before = mappings.get(index - 1);
    boolean guarded =
        before.isGuard() && before.isAnonymous() && before.end() == mappings.get(index).start();
    return guarded ? before.start() : 0;
  }

  private static boolean isStackShaped(List<Mapping> mappings, int index) {
    Mapping mapping = mappings.get(index);
    return mapping.isAnonymous() && mapping.isWritable() && guard(mappings, index) != 0;
  }

  /** With its guard pages, if there is no more between two mappings. */
  private static long size(List<Mapping> mappings, int index) {
    return mappings.get(index).end() - guard(mappings, index);
  }

  /** The size that most stacks have; 0 if there is none. */
  private static long usualSize(List<Mapping> mappings, List<Long> pointers) {
    Map<Long, Integer> counts = new HashMap<>();
    for (long pointer : pointers) {
      int index = Mapping.indexOf(mappings, pointer);
      if (index > 0 && isStackShaped(mappings, index)) {
        counts.merge(size(mappings, index), 1, Integer::sum);
      }
    }
    return most(counts, 1);
  }

  /** The size that at least half as many mappings of the shape have as there are threads. */
  private static long usualSize(List<Mapping> mappings, int threads, Claims claims) {
    Map<Long, Integer> counts = new HashMap<>();
    for (int index = 1; index < mappings.size(); index++) {
      Mapping mapping = mappings.get(index);
      if (isStackShaped(mappings, index) && claims.isFree(mapping.start(), mapping.end())) {
        counts.merge(size(mappings, index), 1, Integer::sum);
      }
    }
    return most(counts, Math.max(2, threads / 2));
  }

  private static long most(Map<Long, Integer> counts, int least) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() >= least)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(0L);
  }
}
