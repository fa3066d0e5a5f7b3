package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which parts could not be published, since when and why. Their rows, and the text of the usual
 * cause, are made with the file: later the disk may be full.
 */
final class PublicationFailures {
  /** What is published: names for those who read that one of them failed. */
  enum Part {
    COUNTS("counts by kind"),
    CONFIGURATION("what is tracked"),
    WATCHED("classes of unclosed objects"),
    SITES("call sites"),
    FORCED("forced collections"),
    SAVED("saved work"),
    FINALIZERS("finalizers by class"),
    MEMORY("resident memory"),
    STUCK("threads that free what is unreachable"),
    BUFFER_POOLS("Netty's buffer pools"),
    INFORMATION("the JVM's start"),
    LOADERS("class loaders"),
    LIBRARIES("handles and pools of Offcut's libraries"),
    SERIES("figures over time");

    final String label;

    Part(String label) {
      this.label = label;
    }
  }

  private static final String SCHEMA =
      "offcut.PublicationFailure\npart text\ncause text\nsince time\nlast time\ncount long";

  private static final String NO_SPACE = "No space left on device";

  /** Other causes than that; a cause with a number in it would else be a text each second. */
  private static final int MOST_CAUSES = 16;

  private static final int COLUMNS = 5;

  private final Tables tables;
  private final Map<Part, TableFile.Row> rows = new EnumMap<>(Part.class);
  private final Map<Part, long[]> figures = new EnumMap<>(Part.class);
  private final Set<String> causes = new HashSet<>();
  private boolean changed;

  PublicationFailures(Tables tables) {
    this.tables = tables;
  }

  /** Makes the rows. */
  void prepare() throws IOException {
    tables.text(NO_SPACE);
    for (Part part : Part.values()) {
      of(part)[0] = tables.text(part.label);
      TableFile.Row row = tables.table(SCHEMA).add();
      if (row != null) {
        rows.put(part, row);
      }
    }
  }

  /** A part could not be published at a time. */
  void add(Part part, Exception e, long now) {
    long[] row = of(part);
    if (row[4] == 0) {
      row[1] = cause(e);
      row[2] = now;
    }
    row[3] = now;
    row[4]++;
    changed = true;
  }

  private long[] of(Part part) {
    return figures.computeIfAbsent(part, made -> new long[COLUMNS]);
  }

  private long cause(Exception e) {
    String message = String.valueOf(e.getMessage());
    String cause = message.contains(NO_SPACE) ? NO_SPACE : e.toString();
    if (!causes.contains(cause) && causes.size() == MOST_CAUSES) {
      cause = e.getClass().getName();
    }
    causes.add(cause);
    try {
      return tables.text(cause);
    } catch (IOException noRoom) {
      return 0;
    }
  }

  void clear(Part part) {
    long[] row = of(part);
    if (row[4] != 0) {
      Arrays.fill(row, 1, COLUMNS, 0);
      changed = true;
    }
  }

  /** A row of a part that was published is empty. */
  void publish() throws IOException {
    if (!changed) {
      return;
    }
    for (Map.Entry<Part, TableFile.Row> row : rows.entrySet()) {
      long[] known = of(row.getKey());
      row.getValue().set(known[4] == 0 ? new long[COLUMNS] : known, 0);
    }
    changed = false;
  }
}
