package dev.offcut.resident;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process's resident memory is used for, at one moment. The rows add up to the resident
 * memory, and none is below zero. All sizes are in bytes.
 *
 * @param resident the resident memory of the process
 * @param swapped its memory in swap space, which is in no row
 * @param rows the rows that are not empty, in the order of {@link Part}; within a part, the largest
 *     first
 * @param heapUsed the size of the objects in the Java heap, resident or not; -1 if it is not known
 * @param heapLimit the size that the Java heap may grow to; 0 if it is not known
 * @param threads the number of threads, including native ones
 * @param arenas the number of arenas of glibc's malloc, including the main one; 0 if the process
 *     does not use it
 * @param container the control group that limits or counts its memory; null if there is none
 * @param threadNames the most frequent names of threads, the most frequent first; empty if there
 *     are fewer than 100 threads. If there are more than {@link #MOST_NAMED_THREADS}, the counts
 *     are estimated from a sample
 * @param loaders class loaders by their class, those with the most metaspace first; empty if there
 *     is less than 16 MiB of metaspace, or the JVM did not answer
 * @param descriptors the open file descriptors
 * @param bounds what else has a limit, as far as the limit is known
 * @param limits one sentence for each thing that could not be read
 */
public record Account(
    long resident,
    long swapped,
    List<Row> rows,
    long heapUsed,
    long heapLimit,
    int threads,
    int arenas,
    @Nullable Container container,
    List<Group> threadNames,
    List<Group> loaders,
    Descriptors descriptors,
    List<Bound> bounds,
    List<String> limits) {
  /** Of more threads, the names are estimated from a sample. */
  public static final int MOST_NAMED_THREADS = 256;

  /** Fewer class loaders of one class are the parts of one program. */
  public static final int MANY_LOADERS = 10;

  /** With less of it nobody asks for class loaders. */
  static final long MUCH_METASPACE = 16 << 20;

  private static final String UNCOLLECTED =
      "The JVM ran no garbage collection before its class loaders were counted. So some of them"
          + " may be unreachable, and wait for a collection that unloads their classes.";

  /**
   * The resident memory of a part, or of one file or library within it.
   *
   * @param part the part
   * @param detail the file or library, with {@code " (deleted)"} behind the path of a data file
   *     that was deleted and is still mapped; empty for the part as a whole
   * @param bytes the resident bytes; more than 0
   */
  public record Row(Part part, String detail, long bytes) {
    /** {@return whether this is a data file that was deleted and is still mapped} */
    public boolean isDeleted() {
      return part == Part.FILES && detail.endsWith(Mapping.DELETED);
    }

    /** {@return the path of the file or library; empty for the part as a whole} */
    public String file() {
      return isDeleted() ? detail.substring(0, detail.length() - Mapping.DELETED.length()) : detail;
    }
  }

  /**
   * Threads, class loaders or file descriptors that share a name.
   *
   * @param name the name
   * @param count how many there are
   * @param bytes the memory that they have together; 0 if it is not known
   */
  public record Group(String name, int count, long bytes) {}

  /**
   * The control group of a process. All its figures include the other processes in the group.
   *
   * @param limit the most memory that the group may use; -1 if there is no limit
   * @param used the memory that the system charges to the group
   * @param pageCache the part of {@code used} that is pages of files; the system drops them when it
   *     needs memory
   * @param kills how many processes in the group the system has killed because the group was full
   */
  public record Container(long limit, long used, long pageCache, long kills) {
    /**
     * Returns the control group whose limit holds for a process: of its group and the groups around
     * that, the one with the smallest limit.
     *
     * @param pid the id of the process
     * @return the group; null if the process is in none, or this user may not read it
     */
    public static @Nullable Container of(long pid) {
      return ControlGroup.of(Path.of("/proc", String.valueOf(pid)));
    }
  }

  /**
   * Returns whether so many class loaders of one class have so much metaspace that they may be a
   * leak.
   *
   * @return whether some class has {@link #MANY_LOADERS} loaders with 16 MiB together
   */
  public boolean hasManyLoaders() {
    for (Group group : loaders) {
      if (group.count() >= MANY_LOADERS && group.bytes() >= MUCH_METASPACE) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the same account with one more limit: no garbage collection ran before its class
   * loaders were counted.
   *
   * @return the account
   */
  public Account withLoadersUncollected() {
    return withLimit(UNCOLLECTED);
  }

  /**
   * Returns the same account with one more limit.
   *
   * @param sentence the limit
   * @return the account
   */
  public Account withLimit(String sentence) {
    List<String> all = new ArrayList<>(limits);
    all.add(sentence);
    return with(loaders, all);
  }

  /**
   * Returns whether this account has the limit of {@link #withLoadersUncollected()}.
   *
   * @return whether its class loaders were counted without a garbage collection
   */
  public boolean hasLoadersUncollected() {
    return limits.contains(UNCOLLECTED);
  }

  /**
   * Returns the same account with other class loaders.
   *
   * @param groups the class loaders, by their class
   * @return the account
   */
  public Account withLoaders(List<Group> groups) {
    return with(groups, limits);
  }

  private Account with(List<Group> groups, List<String> all) {
    return new Account(
        resident,
        swapped,
        rows,
        heapUsed,
        heapLimit,
        threads,
        arenas,
        container,
        threadNames,
        groups,
        descriptors,
        bounds,
        List.copyOf(all));
  }

  /**
   * Returns the resident bytes of all rows of a part.
   *
   * @param part the part
   * @return the bytes; 0 if there is no such row
   */
  public long bytes(Part part) {
    return rows.stream().filter(row -> row.part() == part).mapToLong(Row::bytes).sum();
  }
}
