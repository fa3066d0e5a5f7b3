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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where resident memory is, by accounts of it, if there are any; each part is then what is resident
 * of it. Without one the recorded figures are added up until they are what is resident:
 *
 * <pre>
 *   java heap + the JVM's own + kinds of resources + pools + mapped files
 *     + libraries + unexplained − committed, not resident = resident
 * </pre>
 *
 * What is committed need not be resident. Where the parts are more than what is resident, that is a
 * part of its own, below zero: nobody says of which other it is.
 */
public final class ResidentMemory {
  static final String HEAP = "java heap";

  /** Of less memory than that, whoever has it, no finding would be made. */
  private static final long LEAST_UNREAD = 1 << 20;

  private static final String UNKNOWN_USE =
      "How much of it is in use, and how much of that is not tracked, is not known.";

  private static final String GO_HEAP = "go heap";
  public static final String UNEXPLAINED = "unexplained";
  static final String UNTOUCHED = "committed, not resident";
  private static final String OTHER = "other, not tracked";

  /** Of the JVM's own categories, those that are told otherwise: as the heap, or as files. */
  private static final Set<String> TOLD = Set.of("Java Heap", "Shared class space", "Other");

  /** A category of the JVM's with less is not worth a line. */
  private static final long LEAST_NAMED = 1L << 20;

  /** Mapped files that have a line of their own. */
  private static final int MOST_FILES = 10;

  /** An account that is older than this at the end was not taken there. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  private final Latest<String, Long> figures = new Latest<>();
  private final Latest<String, Long> jvm = new Latest<>();
  private Set<String> options = Set.of();
  private @Nullable Accounts accounts;
  private boolean isGo;

  /** Whether it is the memory of a Go program. */
  void isGo(boolean go) {
    isGo = go;
  }

  /** What the Go runtime says; where it uses more is in the accounts. */
  void go(Fields row) {
    long objects = Math.max(0, row.number("objects"));
    committed(row.time(), objects + row.number("unused") + row.number("free"));
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
            bytes(row.bytes())
                + " may belong to an allocator whose tables could not be read"
                + which
                + ". "
                + UNKNOWN_USE);
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
    figures.put("file", time, event.number("file"));
    figures.put("shared", time, event.number("shared"));
    figures.put("mappedFiles", time, event.number("mappedFiles", -1));
    figures.put("containerLimit", time, event.number("containerLimit", -1));
  }

  /** The JVM's own word on it, for recordings without an agent. */
  void residentSet(Fields event) {
    figures.put("residentSet", event.time(), event.number("size", -1));
  }

  /** What the JVM was started with. */
  void information(Fields event) {
    options = new HashSet<>(List.of(event.text("jvmArguments").split(" ")));
  }

  /** ZGC has its heap in a file in memory, which the system counts as shared. */
  private boolean isHeapShared() {
    return options.contains("-XX:+UseZGC");
  }

  /** Returns what is committed. */
  long heap(Fields event) {
    return committed(event.time(), event.number("heapSpace.committedSize"));
  }

  /** The Java heap's committed bytes at a time; returns them. */
  long committed(Instant time, long bytes) {
    figures.put("heap", time, bytes);
    return bytes;
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

  /** How many collections there were. */
  void pauses(Instant time, long count) {
    figures.put("pauses", time, count);
  }

  void metaspace(Fields event) {
    metaspace(event.time(), event.number("metaspace.committed"));
  }

  /** {@code committed}: negative if it is not known. */
  void metaspace(Instant time, long committed) {
    figures.put("metaspace", time, Math.max(0, committed));
  }

  /** One event for each segment of the cache. */
  void codeCache(Fields event) {
    long end = event.number("reservedTopAddress");
    long used = end - event.number("startAddress") - event.number("unallocatedCapacity");
    figures.put("code " + event.text("codeBlobType"), event.time(), Math.max(0, used));
  }

  /** Of the JVM's own tracking, if it is on. */
  void jvm(Fields event) {
    jvm.put(event.text("type"), event.time(), event.number("committed"));
  }

  /** Whether the JVM tells how much it has for what. */
  boolean hasJvmTracking() {
    return !jvm.isEmpty();
  }

  private long figure(String name, long otherwise) {
    Long known = figures.get(name);
    return known == null ? otherwise : known;
  }

  /** {@code end}: of what was recorded. */
  Digest.Memory memory(List<Digest.Kind> kinds, List<Digest.Pool> pools, Instant end) {
    if (accounts != null) {
      return accounted(accounts, end);
    }
    long resident = figure("resident", figure("residentSet", -1));
    List<Digest.Part> parts = new ArrayList<>();
    addJvm(parts);
    addKinds(parts, kinds);
    pools.forEach(pool -> add(parts, "pool " + pool.pool(), pool.committed()));
    addFiles(parts);
    if (resident >= 0) {
      long rest = resident - parts.stream().mapToLong(Digest.Part::bytes).sum();
      add(parts, UNTOUCHED, Math.min(0, rest));
      parts.add(new Digest.Part(UNEXPLAINED, Math.max(0, rest)));
    }
    long limit = figure("containerLimit", -1);
    return new Digest.Memory(
        resident,
        figure("residentPeak", resident),
        limit < 0 ? null : limit,
        options.contains("-XX:+AlwaysPreTouch"),
        false,
        parts,
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
        options.contains("-XX:+AlwaysPreTouch"),
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
    remarks.add(
        "The process has "
            + count(account.threads(), "thread")
            + (account.arenas() > 0
                ? ", and malloc has " + count(account.arenas(), "arena") + "."
                : "."));
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
          "The container's "
              + bytes(container.used())
              + " include "
              + bytes(container.pageCache())
              + " of page cache, which the system drops when it needs memory.");
    }
    return remarks;
  }

  private void addJvm(List<Digest.Part> parts) {
    add(parts, isGo ? GO_HEAP : HEAP, heap());
    if (!hasJvmTracking()) {
      add(parts, "metaspace", figure("metaspace", 0));
      add(parts, "code cache", codeCache());
      return;
    }
    long rest = 0;
    for (String category : new TreeSet<>(jvm.keys())) {
      long bytes = TOLD.contains(category) ? 0 : jvmFigure(category);
      if (bytes >= LEAST_NAMED) {
        add(parts, named(category.toLowerCase(Locale.ROOT)), bytes);
      } else {
        rest += bytes;
      }
    }
    add(parts, "jvm: others", rest);
  }

  private long heap() {
    return figure("heap", jvmFigure("Java Heap"));
  }

  private static String named(String category) {
    return category.equals("metaspace") ? category : "jvm: " + category;
  }

  private long codeCache() {
    long sum = 0;
    for (String name : figures.keys()) {
      sum += name.startsWith("code ") ? figure(name, 0) : 0;
    }
    return sum;
  }

  private long jvmFigure(String category) {
    Long known = jvm.get(category);
    return known == null ? 0 : known;
  }

  /** What the program opened; and what the JVM counts as such, but nobody is known to own. */
  private void addKinds(List<Digest.Part> parts, List<Digest.Kind> kinds) {
    long tracked = 0;
    for (Digest.Kind kind : kinds) {
      long bytes = kind.bytes() + kind.lostBytes();
      add(parts, kind.kind(), bytes);
      tracked += Kinds.isInOther(kind.kind()) ? bytes : 0;
    }
    add(parts, OTHER, Math.max(0, jvmFigure("Other") - tracked));
  }

  private void addFiles(List<Digest.Part> parts) {
    long mapped = Math.max(0, figure("mappedFiles", 0));
    add(parts, "mapped files", mapped);
    add(parts, "libraries and archives", Math.max(0, figure("file", 0) - mapped));
    add(parts, "shared memory", Math.max(0, figure("shared", 0) - (isHeapShared() ? heap() : 0)));
  }

  private static void add(List<Digest.Part> parts, String part, long bytes) {
    if (bytes != 0) {
      parts.add(new Digest.Part(part, bytes));
    }
  }
}
