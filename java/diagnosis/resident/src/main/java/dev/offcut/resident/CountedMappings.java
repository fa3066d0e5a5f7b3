package dev.offcut.resident;

import static dev.offcut.resident.ProcessMemory.PAGE;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Mappings whose resident pages are counted one by one. The system writes 24 lines for each mapping
 * in {@code smaps}, which with thousands of mappings costs more than all the rest of an account;
 * what it says of pages costs a third of that.
 *
 * <p>A page of zeros that was only read is a page here and is not resident for the system, and huge
 * pages of a file system are not either. So the sum is compared with what the system says, and
 * {@code smaps} is read where they differ. One thread.
 */
final class CountedMappings {
  /** With fewer mappings {@code smaps} costs less. */
  private static final int FEWEST = 1_000;

  /** The same with more address space for each mapping: the system has a word for each page. */
  private static final long MOST_BYTES_EACH = 2L << 20;

  /** So many pages are asked for at once. */
  private static final int PAGES = 1 << 15;

  /** Over less unmapped space than this it is cheaper to ask on. */
  private static final long GAP = 64 * PAGE;

  /** Nobody has pages in a larger range that nobody may access. */
  private static final long MOST_GUARD = 1L << 20;

  /** So much the sum may differ from what the system says: at least this, or one in so many. */
  private static final long LEAST_TOLERATED = 1L << 20;

  private static final int TOLERATED = 200;

  private final ProcessMemory memory;
  private final long[] words = new long[PAGES];
  private long from;
  private long to;

  private CountedMappings(ProcessMemory memory) {
    this.memory = memory;
  }

  /** Null where {@code smaps} is cheaper, or knows more. */
  static @Nullable List<Mapping> of(Path process, ProcessMemory memory) throws IOException {
    if (!memory.hasPages()) {
      return null;
    }
    List<Mapping> bare = Mapping.bare(process);
    long bytes = 0;
    for (Mapping mapping : bare) {
      bytes += isCounted(mapping) ? mapping.size() : 0;
      if (Libraries.isSharedHeap(mapping)) {
        return null; // its pages are mapped several times
      }
    }
    if (bare.size() < FEWEST || bytes / bare.size() > MOST_BYTES_EACH) {
      return null;
    }
    long before = told(process);
    List<Mapping> counted = new CountedMappings(memory).count(bare);
    long after = told(process);
    long sum = 0;
    for (Mapping mapping : counted) {
      sum += mapping.resident();
    }
    long tolerated = Math.max(LEAST_TOLERATED, after / TOLERATED);
    boolean isSame =
        sum >= Math.min(before, after) - tolerated && sum <= Math.max(before, after) + tolerated;
    return isSame ? counted : null;
  }

  private static boolean isCounted(Mapping mapping) {
    // The system has no memory of a process where it begins with [vvar or [vsyscall.
    return mapping.start() > 0
        && !mapping.path().startsWith("[vv")
        && !(mapping.isGuard() && mapping.size() > MOST_GUARD);
  }

  private List<Mapping> count(List<Mapping> bare) throws IOException {
    List<Mapping> all = new ArrayList<>(bare.size());
    for (int i = 0; i < bare.size(); i++) {
      Mapping mapping = bare.get(i);
      long resident = 0;
      long swapped = 0;
      if (isCounted(mapping)) {
        for (long at = mapping.start(); at < mapping.end(); at = Math.min(to, mapping.end())) {
          if (at < from || at >= to) {
            look(at, bare, i);
          }
          int first = (int) ((at - from) / PAGE);
          int end = (int) ((Math.min(to, mapping.end()) - from) / PAGE);
          for (int page = first; page < end; page++) {
            long word = words[page];
            if (word < 0) {
              resident++; // its highest bit
            } else if (word != 0 && (word & ProcessMemory.SWAPPED) != 0) {
              swapped++;
            }
          }
        }
      }
      all.add(mapping.with(resident * PAGE, swapped * PAGE));
    }
    return all;
  }

  /** Asks for the pages from an address on: as far as mappings lie close to each other. */
  private void look(long start, List<Mapping> bare, int index) throws IOException {
    long most = start + PAGES * PAGE;
    long end = Math.min(most, bare.get(index).end());
    for (int i = index + 1; i < bare.size() && end < most; i++) {
      Mapping next = bare.get(i);
      if (next.start() - end > GAP || !isCounted(next)) {
        break;
      }
      end = Math.min(most, next.end());
    }
    from = start;
    to = end;
    memory.states(from, to, words);
  }

  /** {@code VmRSS: 45 kB}. */
  private static long told(Path process) throws IOException {
    String text = Files.readString(process.resolve("status"), StandardCharsets.ISO_8859_1);
    int at = text.indexOf("VmRSS:");
    long kibibytes = 0;
    for (int i = at < 0 ? text.length() : at; i < text.length() && text.charAt(i) != '\n'; i++) {
      int digit = text.charAt(i) - '0';
      kibibytes = digit >= 0 && digit <= 9 ? 10 * kibibytes + digit : kibibytes;
    }
    return kibibytes << 10;
  }
}
