package dev.offcut.handle;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The net's counts. They are exact if no handle is opened, closed or released during the call.
 * Otherwise each figure was right at some moment during the call.
 *
 * <p>For each type: {@code opened = closed + forgotten + open}. A type leaves the snapshot when it
 * is collected: its class was unloaded, or it belonged to a {@link Cleaner} with threads of its
 * own.
 *
 * @param level the detection level
 * @param types one entry per type in use, sorted by name
 * @param cycles GC cycles seen
 * @param backlog references received from the collector whose resources are not yet released
 * @param oldestBacklog how long the oldest of these references has waited
 * @param hungReleasers threads that hang in a releaser
 * @param restarts times a thread of the net had to be replaced
 */
public record HandleSnapshot(
    Detection level,
    List<OfType> types,
    long cycles,
    long backlog,
    Duration oldestBacklog,
    int hungReleasers,
    int restarts) {

  /** Copies the list. */
  public HandleSnapshot {
    types = List.copyOf(types);
  }

  /**
   * The counts of one type.
   *
   * @param id the type's number in this process, the same in each snapshot
   * @param name the type's name, which several types may share
   * @param opened handles whose native open returned or still runs; a handle whose constructor
   *     threw without {@link Handle#open} counts as opened, and as closed once its nursery is
   *     dropped
   * @param closed handles closed by the program
   * @param forgotten handles released by the net
   * @param open handles that are neither closed nor forgotten
   * @param promoted handles that outlived their nursery
   * @param pinned number of open handles in groups; an upper bound of the forgotten handles that
   *     wait for their neighbours
   * @param oldest upper bound on the age of the oldest open handle
   * @param failures releasers that threw
   * @param sites forgotten handles by recorded opening site
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
   * Returns the entry of this type. Other types with the same name have their own entries.
   *
   * @param type the type itself, not its name
   * @return its counts; all zero if no handle of it was opened
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
   * The leak report as text, in the wording of {@code spec/leak-report.txt}.
   *
   * @return lines for each type with forgotten handles; empty without leaks
   */
  public String leakReport() {
    return LeakReport.text(this);
  }
}
