package dev.offcut.command.read;

import dev.offcut.rules.Rule;
import dev.offcut.rules.Rules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the agent tells of classes that rules name: whether it watches them, and by which rule. */
public final class Closeables {
  /** More are not told one by one. */
  private static final int MOST_NAMES = 3;

  private static final int MOST_LIBRARIES = 12;

  private final Map<String, Digest.WatchedClass> classes = new LinkedHashMap<>();

  /** What rows tell of rules, by kind, for the report to be read where the rule's file is not. */
  private final Map<String, Digest.Closeable> rules = new LinkedHashMap<>();

  /** Those that are built in, once one is asked for. */
  private @Nullable List<Rule> builtIn;

  void watched(Fields row) {
    // No field of an event can be called class.
    String type = row.text(row.has("class") ? "class" : "type");
    long notCounted = row.number("notCounted", 0);
    String detail =
        row.text("detail")
            + (notCounted == 0 ? "" : "; not counted: " + notCounted + " of its objects");
    classes.put(
        type,
        new Digest.WatchedClass(
            row.text("rule"), type, row.text("state"), detail, row.text("from")));
    if (row.has("freedBy")) {
      String kind = Kinds.CLOSEABLE + type;
      rules.put(
          kind,
          new Digest.Closeable(
              kind,
              row.text("rule"),
              row.text("called"),
              row.text("freedBy"),
              row.text("holds"),
              row.text("advice")));
    }
  }

  List<Digest.WatchedClass> classes() {
    return List.copyOf(classes.values());
  }

  public boolean isOn() {
    return !classes.isEmpty();
  }

  /** Whether at least one class is counted whose objects hold that, in the word of rules. */
  boolean counts(String held) {
    return classes.values().stream()
        .anyMatch(one -> one.isCounted() && of(Kinds.CLOSEABLE + one.type()).holds().equals(held));
  }

  /** The classes of the built-in rules that apply only with {@code --rules on}, by simple name. */
  public static List<String> onRequest() {
    return Rules.builtIn().all().stream()
        .filter(rule -> !rule.byDefault())
        .map(rule -> simpleName(rule.root()))
        .toList();
  }

  /** The libraries, and classes of the user's, of which at least one class is counted. */
  List<String> libraries() {
    Set<String> all = new LinkedHashSet<>();
    for (Digest.WatchedClass one : classes.values()) {
      if (one.isCounted() && !one.type().endsWith(".*")) {
        all.add(one.rule().startsWith("--") ? simpleName(one.type()) : one.rule());
      }
    }
    if (all.size() > MOST_LIBRARIES) {
      List<String> first = new ArrayList<>(List.copyOf(all).subList(0, MOST_LIBRARIES));
      first.add(Figures.count(all.size() - MOST_LIBRARIES) + " more classes and libraries");
      return first;
    }
    return List.copyOf(all);
  }

  private static String simpleName(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** In words: which classes a rule names, and nobody counts; a sentence, or none. */
  List<String> limits() {
    List<Digest.WatchedClass> missing =
        classes.values().stream().filter(one -> !one.isCounted()).toList();
    List<String> lines = new ArrayList<>();
    missing.stream()
        .limit(MOST_NAMES)
        .forEach(
            one ->
                lines.add(
                    one.type()
                        + " is not counted"
                        + (one.state().equals("not counted") ? "" : " (" + one.state() + ")")
                        + (one.detail().isEmpty() ? "." : ": " + one.detail() + ".")));
    if (missing.size() > MOST_NAMES) {
      lines.add(
          Figures.count(missing.size() - MOST_NAMES)
              + " more classes of rules are not counted; `offcut rules test` lists them.");
    }
    return lines;
  }

  Digest.Closeable of(String kind) {
    return rules.getOrDefault(kind, builtIn(kind));
  }

  /** By the library that the agent names, since it does not name the rule's class. */
  private Digest.Closeable builtIn(String kind) {
    String type = kind.substring(Kinds.CLOSEABLE.length());
    if (builtIn == null) {
      builtIn = Rules.builtIn().all();
    }
    Digest.WatchedClass row = classes.get(type);
    String library = row == null ? "" : row.rule();
    Rule found = null;
    for (Rule rule : builtIn) {
      if (rule.root().equals(type) || (found == null && rule.library().equals(library))) {
        found = rule;
      }
    }
    return found == null
        ? new Digest.Closeable(
            kind, library, "", "nobody", Rule.MALLOC, "close each in try-with-resources")
        : new Digest.Closeable(
            kind,
            found.library(),
            found.called(),
            found.freedBy().name().toLowerCase(Locale.ROOT),
            found.holds(),
            found.advice());
  }
}
