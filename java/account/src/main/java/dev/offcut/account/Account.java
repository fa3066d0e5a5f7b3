package dev.offcut.account;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who has a process's resident memory. The rows add up to it, and none is below zero. Sizes are in
 * bytes.
 *
 * @param resident what the process has in memory
 * @param swapped what it has in swap space, which is in no row
 * @param rows those that are not empty, by {@link Part}, then the largest first
 * @param heapUsed bytes of objects in the Java heap, resident or not; -1 if it is not known
 * @param heapLimit what the Java heap may grow to; 0 if it is not known
 * @param threads all there are, native ones included
 * @param arenas of glibc's malloc, the main one included; 0 without it
 * @param container null if the process is in none that limits or counts its memory
 * @param threadNames threads by name, the most frequent first; empty where there are few
 * @param loaders class loaders by their class, those with the most metaspace first; empty where
 *     there is little metaspace, or nobody could ask
 * @param descriptors what is open by file descriptors
 * @param limits what could not be looked at, a sentence each
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
    List<String> limits) {
  /**
   * A part, or an owner within it.
   *
   * @param detail a file or a library; empty for the part as a whole
   */
  public record Row(Part part, String detail, long bytes) {}

  /**
   * Things of one name.
   *
   * @param bytes what they have; 0 if it is not known
   */
  public record Group(String name, int count, long bytes) {}

  /**
   * The control group that the process is in, with all others that are in it.
   *
   * @param limit -1 without one
   * @param used what the system charges to it
   * @param pageCache what of that are pages of files, which the system drops when it needs memory
   * @param kills how many processes in it the system has killed because it was full
   */
  public record Container(long limit, long used, long pageCache, long kills) {
    /** That of a process; null if it is in none, or nobody may look. */
    public static @Nullable Container of(long pid) {
      return ControlGroup.of(Path.of("/proc", String.valueOf(pid)));
    }
  }

  /** What all rows of a part have. */
  public long bytes(Part part) {
    return rows.stream().filter(row -> row.part() == part).mapToLong(Row::bytes).sum();
  }
}
