package dev.offcut.handle;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The counts of the net. They are exact if no handle is opened, closed or released during the call
 * that makes them. Otherwise each figure was right at some moment during that call.
 *
 * <p>For each type, {@code opened = closed + forgotten + open}. The collector removes a type after
 * the class that holds it was unloaded. The type then leaves the snapshot. Each {@link Cleaner}
 * with a thread of its own has a type of its own, which leaves after the cleaner became
 * unreachable.
 *
 * @param level the detection level
 * @param types one entry for each type in use, sorted by name
 */
public record HandleSnapshot(Detection level, List<OfType> types) {

  /** Copies the list. */
  public HandleSnapshot {
    types = List.copyOf(types);
  }

  /**
   * The counts of one type.
   *
   * @param id the number of the type in this process, the same in each snapshot
   * @param name the name of the type, which several types may share
   * @param opened the handles whose native open returned or still runs. A handle whose constructor
   *     threw before {@link Handle#open} counts as opened. It keeps a place in a table of young
   *     handles, and counts as closed once its thread has stopped using this table
   * @param closed the handles that the program closed
   * @param forgotten the handles that the net released
   * @param open the handles that are neither closed nor forgotten
   * @param promoted the handles that became tenured, because they were open for about a second, at
   *     a garbage collection, or at the moment when the table of young handles was full
   * @param pinned the open handles whose table the collector dropped because memory was short: an
   *     upper bound of the forgotten handles that wait for the others of their table
   * @param oldest an upper bound of the age of the oldest open handle
   * @param failures how often a releaser threw
   * @param sites the number of forgotten handles by recorded stack of the opening
   */
  public record OfType(
      long id,
      String name,
      long opened,
      long closed,
      long forgotten,
      long open,
      long promoted,
      long pinned,
      Duration oldest,
      long failures,
      Map<List<StackTraceElement>, Long> sites) {

    /** Copies the map. */
    public OfType {
      sites = Map.copyOf(sites);
    }
  }

  /**
   * Returns the counts of one type. Other types with the same name have entries of their own.
   *
   * @param type the type
   * @return its counts; all zero if no handle of the type was opened
   */
  public OfType of(HandleType type) {
    for (OfType entry : types) {
      if (entry.id() == type.id) {
        return entry;
      }
    }
    return new OfType(type.id, type.name(), 0, 0, 0, 0, 0, 0, Duration.ZERO, 0, Map.of());
  }

  /**
   * Returns the leak report as text, in the wording of {@code spec/leak-report.txt}.
   *
   * @return lines for each type with forgotten handles; empty if there are none
   */
  public String leakReport() {
    return LeakReport.text(this);
  }
}
