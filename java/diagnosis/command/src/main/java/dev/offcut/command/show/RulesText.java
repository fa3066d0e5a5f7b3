package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.count;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Digest.WatchedClass;
import dev.offcut.command.read.Json;
import dev.offcut.command.read.Kinds;
import dev.offcut.rules.Rule;
import dev.offcut.rules.Rules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules of closeables, and what became of them in a program, as text. */
public final class RulesText {
  private static final String SCHEMA = "offcut.closeables/1";

  private RulesText() {}

  public static String of(Rules rules) {
    StringBuilder text = new StringBuilder();
    List<Rule> all = rules.all();
    Table table = Table.withWordsFrom(1);
    for (Rule rule : all) {
      table.add(
          "  " + rule.root(),
          closes(rule),
          ifNotClosed(rule) + (rule.byDefault() ? "" : "; counted only with --rules on"));
    }
    List<String> lines = table.lines();
    Set<String> libraries =
        all.stream().map(Rule::library).collect(Collectors.toCollection(LinkedHashSet::new));
    for (String library : libraries) {
      List<String> tried = rules.tried().getOrDefault(library, List.of());
      text.append(library)
          .append(tried.isEmpty() ? "" : "   tried with " + releases(tried))
          .append('\n');
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).library().equals(library)) {
          text.append(lines.get(i)).append('\n');
        }
      }
    }
    return text.toString();
  }

  /** Without the groups, and the artifact but once. */
  private static String releases(List<String> coordinates) {
    String last = "";
    List<String> all = new ArrayList<>();
    for (String one : coordinates) {
      String[] parts = one.split(":", -1);
      String artifact = parts.length == 3 ? parts[1] : "";
      String version = parts.length == 3 ? parts[2] : one;
      all.add(artifact.equals(last) ? version : artifact + " " + version);
      last = artifact;
    }
    return String.join(" and ", all);
  }

  private static String closes(Rule rule) {
    return "closed by " + names(rule.closes());
  }

  /** Methods without their descriptors. */
  private static String names(List<String> methods) {
    return methods.stream()
        .map(one -> one.indexOf('(') < 0 ? one : one.substring(0, one.indexOf('(')))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String ifNotClosed(Rule rule) {
    return switch (rule.freedBy()) {
      case NOBODY -> "else lost";
      case CLEANER -> "else freed late, by a cleaner";
      case FINALIZER -> "else freed late, by its finalizer";
      case COLLECTOR -> "else freed by the collector; a close is not necessary";
    };
  }

  public static String checked(Path file, Rules rules, int problems) {
    Set<String> builtIn =
        Rules.builtIn().all().stream().map(Rule::root).collect(Collectors.toSet());
    long replaced = rules.all().stream().filter(rule -> builtIn.contains(rule.root())).count();
    return """
        %s: %s%s; %s. `offcut rules test --rules %s -- java …` shows which classes of a program \
        they match."""
        .formatted(
            file,
            count(rules.all().size(), "rule"),
            replaced == 0 ? "" : ", " + count(replaced) + " of them instead of a built-in rule",
            problems == 0 ? "no problem" : count(problems, "problem"),
            file);
  }

  /** As {@code offcut.closeables/1}, with the members that have a default, too. */
  public static String json(Rules rules) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("schema", SCHEMA);
    all.put("tried", new TreeMap<>(rules.tried()));
    all.put("rules", Json.each(rules.all(), RulesText::members));
    return Json.lines(all);
  }

  private static Map<String, @Nullable Object> members(Rule rule) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("library", rule.library());
    all.put("class", rule.root());
    if (!rule.called().isEmpty()) {
      all.put("called", rule.called());
    }
    all.put("opens", rule.opens());
    all.put("closes", rule.closes());
    if (!rule.reopens().isEmpty()) {
      all.put("reopens", rule.reopens());
    }
    all.put("freedBy", rule.freedBy());
    all.put("subclasses", rule.hierarchy());
    all.put("wrappers", rule.wrappers());
    all.put("holds", rule.holds());
    all.put("advice", rule.advice());
    all.put("byDefault", rule.byDefault());
    return all;
  }

  /** What became of the rules in a program: what is not counted first, then what is. */
  public static String matched(Digest digest) {
    Text text = new Text(false);
    text.line(digest.target().main() + ", process " + digest.target().pid());
    List<WatchedClass> all = digest.watchedClasses();
    digest.gaps().byRule().forEach(limit -> text.line().wrapped("", limit));
    if (all.isEmpty()) {
      return text.line(
              "  No class of a rule was counted: the program has none, or its agent knows no"
                  + " rules.")
          .toString();
    }
    List<WatchedClass> missing = all.stream().filter(one -> !one.isCounted()).toList();
    List<WatchedClass> counted = all.stream().filter(WatchedClass::isCounted).toList();
    if (!missing.isEmpty()) {
      text.line().line("Not counted: " + count(missing.size()));
      missing.forEach(one -> add(text, one, one.state() + ": " + one.detail()));
    }
    text.line().line("Counted: " + count(counted.size()));
    counted.forEach(one -> add(text, one, one.detail() + opened(digest, one)));
    return text.toString();
  }

  private static void add(Text text, WatchedClass one, String what) {
    text.line("  " + one.type() + "   (" + one.rule() + from(one) + ")");
    text.wrapped("      ", what);
  }

  /** The file with the built-in rules is nobody's to mend. */
  private static String from(WatchedClass one) {
    return one.from().isEmpty()
            || one.from().startsWith(Rules.BUILT_IN)
            || one.from().startsWith(one.rule())
        ? ""
        : ", " + one.from();
  }

  private static String opened(Digest digest, WatchedClass one) {
    for (Digest.Kind kind : digest.kinds()) {
      if (kind.kind().equals(Kinds.CLOSEABLE + one.type())) {
        return "; opened %s, closed %s, freed by the collector %s, lost %s, open %s"
            .formatted(
                count(kind.opened()),
                count(kind.closed()),
                count(kind.collected()),
                count(kind.lost()),
                count(kind.open()));
      }
    }
    return "; none opened";
  }
}
