package dev.offcut.fleet.duckdb;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Census;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.Labels;
import dev.offcut.fleet.Rows;
import dev.offcut.fleet.Source;
import dev.offcut.fleet.SourceReader;
import java.io.Serializable;
import java.util.Set;

/**
 * Adds one source after the other to a fleet, on whatever machine; however often one is added, the
 * same files are there.
 *
 * @param known hashes of the sources that were there before
 * @param nowMs when they are added, in ms since 1970
 */
public record AddStep(String fleet, Labels labels, Set<String> known, long nowMs)
    implements Serializable {
  /** What became of a source. */
  public enum What {
    /** It is in the fleet now. */
    ADDED,
    /** It was there before. */
    KNOWN,
    /** It cannot be read. */
    SKIPPED,
    /** The fleet cannot be written to. */
    FAILED
  }

  /**
   * What became of one.
   *
   * @param hash empty if it is not known
   * @param sentence why it was skipped, or failed; else empty
   */
  public record Outcome(What what, String hash, String sentence) implements Serializable {
    /** That the others will fail likewise. */
    public static Outcome failed(Failure failure) {
      return new Outcome(What.FAILED, "", failure.sentence());
    }
  }

  /** For a fleet, as it is now. */
  public static AddStep of(Census census, Fleet fleet, Labels labels) {
    return new AddStep(
        fleet.store().absolute(), labels, Set.copyOf(census.sources()), System.currentTimeMillis());
  }

  /** The fleet, on this machine. */
  public Fleet open() throws Failure {
    return Fleet.open(fleet);
  }

  /** Adds one, unless it was there before. Fails if the fleet cannot be written to. */
  public Outcome add(Source source, DuckDbWriter writer, Fleet open) throws Failure {
    String hash = "";
    Rows rows;
    try {
      hash = source.hash(labels);
      if (known.contains(hash)) {
        return new Outcome(What.KNOWN, hash, "");
      }
      rows = SourceReader.read(source, labels, hash, nowMs);
    } catch (Failure e) {
      return new Outcome(What.SKIPPED, hash, e.sentence());
    }
    writer.write(rows, open);
    return new Outcome(What.ADDED, hash, "");
  }
}
