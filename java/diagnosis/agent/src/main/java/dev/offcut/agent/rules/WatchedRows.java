package dev.offcut.agent.rules;

import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is told of the classes that belong to rules. For any thread. */
public final class WatchedRows {
  /** Rows about classes: a program may make classes without end. */
  private static final int MOST_ROWS = 2_000;

  /** States of a class. */
  static final String COUNTED = "counted";

  static final String NOT_LOADED = "not loaded";
  static final String NOT_UNDERSTOOD = "not understood";
  static final String NOT_REWRITTEN = "not rewritten";
  static final String NOT_COUNTED = "not counted";

  /**
   * What is told of a class that belongs to a rule. {@code notCounted}: how many of its objects.
   */
  public record Row(Rule rule, String type, String state, String detail, long notCounted) {}

  /** By class. */
  private final Map<String, Row> rows = Collections.synchronizedMap(new LinkedHashMap<>());

  /** Counts up with each change of the rows. */
  private volatile int changes;

  WatchedRows() {}

  /** How often the rows have changed. */
  public int changes() {
    return changes;
  }

  /** All of them. */
  public List<Row> all() {
    synchronized (rows) {
      return new ArrayList<>(rows.values());
    }
  }

  /** Tells of a rule whose class has not been loaded. */
  void expect(Rule rule) {
    put(rule, rule.root(), NOT_LOADED, notLoaded(rule));
  }

  private static String notLoaded(Rule rule) {
    return (rule.isPackage()
            ? "no AutoCloseable of this package has been loaded"
            : "no class of this name has been loaded; nested classes are written with $")
        + " ("
        + rule.from()
        + ")";
  }

  /** That of a class, by its binary name. */
  @Nullable Row get(String type) {
    return rows.get(type);
  }

  /** Adds a sentence for each class that a rule of the user's names and nobody counts. */
  public void addUncounted(List<String> to) {
    for (Row row : all()) {
      String state = row.state();
      if (row.rule().isOfUser() && !state.equals(COUNTED) && !state.equals(NOT_LOADED)) {
        to.add(
            row.type()
                + " is not counted"
                + (state.equals(NOT_COUNTED) ? "" : " (" + state + ")")
                + (row.detail().isEmpty() ? "" : ": " + row.detail())
                + (row.notCounted() == 0 ? "" : "; not counted: " + row.notCounted() + " objects"));
      }
    }
  }

  void put(Rule rule, String type, String state, String detail) {
    Row known = rows.get(type);
    put(new Row(rule, type, state, detail, known == null ? 0 : known.notCounted()));
  }

  private void put(Row row) {
    Rule rule = row.rule();
    if (rule.equals(Watching.PROBE)) {
      return;
    }
    synchronized (rows) {
      Row whole = rule.isPackage() ? rows.get(rule.root()) : null;
      if (whole != null && whole.state().equals(NOT_LOADED)) {
        String detail = "the classes listed separately";
        rows.put(rule.root(), new Row(rule, rule.root(), COUNTED, detail, 0));
      }
      if (rows.size() < MOST_ROWS || rows.containsKey(row.type())) {
        rows.put(row.type(), row);
        changes++;
      }
    }
  }

  /** So many objects of a class did not count, and why; null: no constructor of it reported. */
  void missed(Row known, int count, @Nullable String why) {
    if (known.notCounted() == count) {
      return;
    }
    boolean stops = known.state().equals(COUNTED) && why != null;
    put(
        new Row(
            known.rule(),
            known.type(),
            stops ? NOT_COUNTED : known.state(),
            stops ? known.detail() + "; " + why : known.detail(),
            count));
  }
}
