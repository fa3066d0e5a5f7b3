package dev.offcut.command.read;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;
import static dev.offcut.command.read.Figures.seconds;

import dev.offcut.command.read.Recorded.Latest;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where resident memory is, by accounts of it. Without one, only how much is resident is known, and
 * how much of the heap is used.
 */
public final class ResidentMemory {
  /** Of less memory than that, whoever has it, no finding would be made. */
  private static final long LEAST_UNREAD = 1 << 20;

  private static final String UNKNOWN_USE =
      "How much of it is in use, and how much of that is not tracked, is not known.";

  public static final String UNEXPLAINED = "unexplained";

  /** Mapped files that have a line of their own. */
  private static final int MOST_FILES = 10;

  /** An account that is older than this at the end was not taken there. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  private final Latest<String, Long> figures = new Latest<>();
  private @Nullable Accounts accounts;
  private boolean isGo;

  void isGo(boolean go) {
    isGo = go;
  }

  /** What the Go runtime says; where it uses more is in the accounts. */
  void go(Fields row) {
    long objects = Math.max(0, row.number("objects"));
    heapInUse(row.time(), objects, row.number("live") > 0 ? row.number("live") : -1);
    figures.put("goroutines", row.time(), row.number("goroutines", -1));
    long limit = row.number("limit", -1);
    figures.put("goLimit", row.time(), limit == Long.MAX_VALUE ? -1 : limit);
  }

  void accounts(Accounts taken) {
    accounts = taken;
  }

  /** What could not be looked at, a sentence each. */
  List<String> limits() {
    if (accounts == null) {
      return List.of();
    }
    Account last = accounts.last();
    List<String> all = new ArrayList<>(last.limits());
    long unread = last.bytes(Part.MALLOC_UNREAD);
    if (unread > 0) {
      all.add(bytes(unread) + " of malloc could not be read. " + UNKNOWN_USE);
    }
    for (Account.Row row : last.rows()) {
      if (row.part() == Part.ALLOCATOR_UNREAD && row.bytes() >= LEAST_UNREAD) {
        String which = row.detail().isEmpty() ? "" : " (" + row.detail() + ")";
        all.add(
            "%s may belong to an allocator whose tables could not be read%s. %s"
                .formatted(bytes(row.bytes()), which, UNKNOWN_USE));
      }
    }
    return all;
  }

  @Nullable Accounts accounts() {
    return accounts;
  }

  boolean isAccounted() {
    return accounts != null;
  }

  void process(Fields event) {
    Instant time = event.time();
    figures.put("resident", time, event.number("resident", -1));
    figures.put("residentPeak", time, event.number("residentPeak", -1));
    figures.put("containerLimit", time, event.number("containerLimit", -1));
  }

  /** {@code used} and {@code after} the last collection: below zero if it is not known. */
  void heapInUse(Instant time, long used, long after) {
    if (used >= 0) {
      figures.put("heapUsed", time, used);
    }
    if (after >= 0) {
      figures.put("heapAfter", time, after);
    }
  }

  void pauses(Instant time, long count) {
    figures.put("pauses", time, count);
  }

  private long figure(String name, long otherwise) {
    Long known = figures.get(name);
    return known == null ? otherwise : known;
  }

  /** {@code end}: of what was recorded. */
  Digest.Memory memory(Instant end) {
    if (accounts != null) {
      return accounted(accounts, end);
    }
    long resident = figure("resident", -1);
    long limit = figure("containerLimit", -1);
    return new Digest.Memory(
        resident,
        figure("residentPeak", resident),
        limit < 0 ? null : limit,
        false,
        List.of(),
        heapRemarks(),
        List.of());
  }

  /** What the Java heap needs, as far as it is known. */
  private List<String> heapRemarks() {
    long after = figure("heapAfter", -1);
    long used = figure("heapUsed", -1);
    String heap = isGo ? " of the Go heap" : " of the Java heap";
    List<String> remarks = new ArrayList<>();
    if (after >= 0) {
      remarks.add("After the last collection " + bytes(after) + heap + " were in use.");
    } else if (used >= 0) {
      remarks.add(
          bytes(used)
              + heap
              + " were in use, garbage included"
              + (figure("pauses", -1) == 0 ? "; it was not collected yet." : "."));
    }
    long goroutines = figure("goroutines", -1);
    if (goroutines >= 0) {
      long limit = figure("goLimit", -1);
      remarks.add(
          count(goroutines, "goroutine")
              + (goroutines == 1 ? " exists." : " exist.")
              + (limit < 0 ? "" : " The Go runtime's memory limit is " + bytes(limit) + "."));
    }
    return remarks;
  }

  private Digest.Memory accounted(Accounts taken, Instant end) {
    Account last = taken.last();
    Account.Container container = last.container();
    long limit = container == null ? figure("containerLimit", -1) : container.limit();
    return new Digest.Memory(
        last.resident(),
        Math.max(figure("residentPeak", -1), taken.peak().resident()),
        limit < 0 ? null : limit,
        true,
        parts(last.rows()),
        Stream.concat(
                heapRemarks().stream(),
                remarks(
                    last,
                    taken.all().getLast().atEnd()
                        ? Duration.ZERO // whatever was recorded afterwards was the agent's
                        : Duration.between(taken.all().getLast().time(), end))
                    .stream())
            .toList(),
        GrowthRates.of(taken));
  }

  /** Of many mapped files, only the largest have a line of their own. */
  private static List<Digest.Part> parts(List<Account.Row> rows) {
    List<Digest.Part> parts = new ArrayList<>();
    List<Digest.Part> files = new ArrayList<>();
    long others = 0;
    int place = 0; // of the files
    for (Account.Row row : rows) {
      if (row.part().compareTo(Part.FILES) < 0) {
        place++;
      }
      if (row.part() != Part.FILES) {
        parts.add(part(row));
      } else if (row.detail().isEmpty() || files.size() == MOST_FILES) {
        others += row.bytes();
      } else {
        files.add(part(row));
      }
    }
    if (others > 0) {
      files.add(new Digest.Part(Part.FILES.title(), others));
    }
    parts.addAll(place, files);
    return parts;
  }

  private static Digest.Part part(Account.Row row) {
    String name = row.part().title();
    return new Digest.Part(row.detail().isEmpty() ? name : name + ": " + row.detail(), row.bytes());
  }

  /** What is no part: a sentence each. */
  public static List<String> remarks(Account account, Duration age) {
    List<String> remarks = new ArrayList<>();
    if (age.compareTo(FRESH) > 0) {
      remarks.add(
          "This account was taken "
              + seconds(age.toMillis() / 1000.0)
              + " before the end of the recording.");
    }
    if (account.heapLimit() > 0) {
      remarks.add("The Java heap may grow to " + bytes(account.heapLimit()) + ".");
    }
    String arenas =
        account.arenas() > 0 ? ", and malloc has " + count(account.arenas(), "arena") : "";
    remarks.add("The process has " + count(account.threads(), "thread") + arenas + ".");
    if (account.bytes(Part.ALLOCATOR_UNREAD) > 0) {
      remarks.add(
          "The line `allocator, or unexplained` is memory that no other line claims. The program"
              + " has an allocator whose tables could not be read, so part of this memory may be"
              + " the allocator's.");
    }
    if (account.swapped() > 0) {
      remarks.add(bytes(account.swapped()) + " more are in swap space.");
    }
    Account.Container container = account.container();
    if (container != null && container.pageCache() > 0) {
      remarks.add(
          """
          The container's %s include %s of page cache, which the system drops when it needs \
          memory."""
              .formatted(bytes(container.used()), bytes(container.pageCache())));
    }
    return remarks;
  }
}
