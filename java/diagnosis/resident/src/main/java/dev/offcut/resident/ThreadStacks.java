package dev.offcut.resident;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

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

  /** So many threads make a size one that stacks have. */
  private static final int FEWEST_ALIKE = 2;

  /** malloc's arenas have guard pages before them too, and begin at a multiple of this. */
  private static final long ARENA = 64L << 20;

  /** In place of a stack pointer: nobody may ask. */
  private static final long REFUSED = -1;

  private final Path tasks;
  private final List<Mapping> mappings;

  /** The ids of all threads. */
  private final String[] threads;

  private final List<Long> pointers = new ArrayList<>();
  private boolean isRefused;

  /** Asks all threads where their stacks are. */
  ThreadStacks(Path process, List<Mapping> mappings) throws IOException {
    this.tasks = process.resolve("task");
    this.mappings = mappings;
    String[] found = tasks.toFile().list();
    if (found == null) {
      throw new IOException(tasks + " cannot be read");
    }
    this.threads = found;
    for (String thread : threads) {
      long pointer = pointer(tasks.resolve(thread));
      if (pointer > 0) {
        pointers.add(pointer);
      }
      isRefused |= pointer == REFUSED;
    }
  }

  /**
   * All threads.
   *
   * @param names the most frequent first; empty if there are few threads
   * @param arePointersKnown whether threads could be asked for their stack pointers
   */
  record Threads(int count, List<Account.Group> names, boolean arePointersKnown) {}

  /**
   * Claims what is a stack for sure: it has guard pages, the exact size that stacks of several
   * threads have, and nothing at its beginning, where each block of malloc has its header. Nobody
   * need look into these any more.
   */
  void claimSure(ProcessMemory memory, Claims claims) throws IOException {
    if (!memory.hasPages()) {
      return;
    }
    Map<Long, Integer> counts = sizes();
    for (int index = 1; index < mappings.size(); index++) {
      Mapping mapping = mappings.get(index);
      if (isStackShaped(mappings, index)
          && mapping.start() % ARENA != 0
          && counts.getOrDefault(size(mappings, index), 0) >= FEWEST_ALIKE
          && claims.isFree(mapping.start(), mapping.end())
          && !memory.isResident(mapping.start())) {
        claims.add(mapping, Part.STACKS, "");
      }
    }
  }

  /** Claims all stacks. */
  Threads claim(Claims claims) {
    long usual =
        arePointersKnown() ? most(sizes(), 1) : usualSize(mappings, threads.length, claims);
    for (long pointer : pointers) {
      int index = Mapping.indexOf(mappings, pointer);
      if (index >= 0) {
        claim(mappings, index, pointer, usual, claims);
      }
    }
    for (int index = 1; index < mappings.size(); index++) {
      Mapping mapping = mappings.get(index);
      Claims.Claim claim = claims.atOrAfter(mapping.start());
      // What lies behind it may have become one mapping with it, and have an owner.
      long end = claim == null ? mapping.end() : Math.min(mapping.end(), claim.start());
      if (isStackShaped(mappings, index)
          && end > mapping.start()
          && Math.abs(end - guard(mappings, index) - usual) <= SPREAD) {
        claims.add(mapping.start(), end, Part.STACKS, "");
      }
    }
    List<Account.Group> names = threads.length < FEWEST_NAMED ? List.of() : names();
    return new Threads(threads.length, names, arePointersKnown());
  }

  private boolean arePointersKnown() {
    return !isRefused || !pointers.isEmpty();
  }

  private List<Account.Group> names() {
    Tally counts = new Tally();
    int step = (threads.length + Account.MOST_NAMED_THREADS - 1) / Account.MOST_NAMED_THREADS;
    Random chance = new Random(threads.length); // names may repeat in the order of the threads
    for (int i = 0; i < threads.length; i += step) {
      try {
        int standsFor = Math.min(step, threads.length - i);
        Path file = tasks.resolve(threads[i + chance.nextInt(standsFor)]).resolve("comm");
        String name = Files.readString(file, StandardCharsets.UTF_8).strip();
        counts.add(family(name), standsFor);
      } catch (IOException e) {
        // It ended, or its name is no text.
      }
    }
    return counts.mostFrequent(MOST_NAMES, 1);
  }

  /**
   * The name without its number: {@code pool-#-thread} of {@code pool-1-thread-12}. The system
   * tells 15 characters, so the last number may have lost some of its digits.
   */
  static String family(String name) {
    StringBuilder family = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      boolean isDigit = letter >= '0' && letter <= '9';
      if (!isDigit) {
        family.append(letter);
      } else if (i == 0 || name.charAt(i - 1) < '0' || name.charAt(i - 1) > '9') {
        family.append('#');
      }
    }
    int end = family.length();
    while (end > 0 && "-#_ .".indexOf(family.charAt(end - 1)) >= 0) {
      end--;
    }
    return end == 0 ? name : family.substring(0, end);
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

  /** Of the stacks of threads that were asked: how many have which size. */
  private Map<Long, Integer> sizes() {
    Map<Long, Integer> counts = new HashMap<>();
    for (long pointer : pointers) {
      int index = Mapping.indexOf(mappings, pointer);
      if (index > 0 && isStackShaped(mappings, index)) {
        add(counts, size(mappings, index));
      }
    }
    return counts;
  }

  /** The size that at least half as many mappings of the shape have as there are threads. */
  private static long usualSize(List<Mapping> mappings, int threads, Claims claims) {
    Map<Long, Integer> counts = new HashMap<>();
    for (int index = 1; index < mappings.size(); index++) {
      Mapping mapping = mappings.get(index);
      if (isStackShaped(mappings, index) && claims.isFree(mapping.start(), mapping.end())) {
        add(counts, size(mappings, index));
      }
    }
    return most(counts, Math.max(2, threads / 2));
  }

  private static void add(Map<Long, Integer> counts, long size) {
    counts.put(size, counts.getOrDefault(size, 0) + 1);
  }

  /** The size that most have; 0 if no size has so many at least. */
  private static long most(Map<Long, Integer> counts, int least) {
    long size = 0;
    int most = least - 1;
    for (Map.Entry<Long, Integer> entry : counts.entrySet()) {
      if (entry.getValue() > most) {
        most = entry.getValue();
        size = entry.getKey();
      }
    }
    return size;
  }
}
