package dev.offcut.closeables;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The built-in rules as the jar has them: the build makes this table of the JSON. The agent reads
 * it at the start of each program, in an interpreter, where reading JSON is slow.
 *
 * <p>A line is a rule, or what a library was tried with. Tabs stand between the cells, blanks
 * between the elements of a list.
 */
public final class RuleTable {
  private static final String NAME = "closeables.txt";
  private static final String TRIED = "tried";

  /** Most rules have this list. */
  private static final List<String> CONSTRUCTORS = List.of(Rule.CONSTRUCTORS);

  private static final Rule.FreedBy[] FREED_BY = Rule.FreedBy.values();

  private final String text;
  private int at;

  private RuleTable(String text) {
    this.text = text;
  }

  /**
   * Makes the table: called by the build.
   *
   * @param files the JSON, and the folder for the table
   * @throws IOException if one of them cannot be read or written
   * @throws IllegalStateException if the rules have a problem
   */
  public static void main(String[] files) throws IOException {
    Rules rules =
        Rules.read(
            Rules.BUILT_IN,
            Files.readString(Path.of(files[0])),
            problem -> {
              throw new IllegalStateException(problem);
            });
    Path table = Path.of(files[1], NAME);
    String text = of(rules);
    // A newer file would make the build pack jars again, under JVMs that run from them.
    if (!Files.exists(table) || !Files.readString(table).equals(text)) {
      Files.writeString(table, text);
    }
  }

  private static String of(Rules rules) {
    StringBuilder text = new StringBuilder();
    for (Rule rule : rules.all()) {
      line(
          text,
          rule.root(),
          rule.library(),
          String.join(" ", rule.opens()),
          String.join(" ", rule.closes()),
          String.join(" ", rule.reopens()),
          String.join(" ", rule.wrappers()),
          rule.freedBy().name(),
          rule.hierarchy() ? "1" : "0",
          rule.byDefault() ? "1" : "0",
          rule.holds(),
          rule.called(),
          rule.advice(),
          rule.from());
    }
    new TreeMap<>(rules.tried())
        .forEach((library, releases) -> line(text, TRIED, library, String.join(" ", releases)));
    return text.toString();
  }

  private static void line(StringBuilder text, String... cells) {
    for (String cell : cells) {
      if (cell.indexOf('\t') >= 0 || cell.indexOf('\n') >= 0) {
        throw new IllegalArgumentException("no text of a rule has a tab or a line's end: " + cell);
      }
    }
    text.append(String.join("\t", cells)).append('\n');
  }

  /**
   * Returns the built-in rules, in the order of the file.
   *
   * @return a new list
   * @throws IllegalStateException if the table is missing in the jar: an error in the build
   */
  public static List<Rule> all() {
    List<Rule> all = new ArrayList<>(64);
    read(all, null);
    return all;
  }

  /** Reads it; {@code tried} receives what the libraries were tried with, by library. */
  static void read(List<Rule> rules, @Nullable Map<String, List<String>> tried) {
    try (InputStream in = RuleTable.class.getResourceAsStream(NAME)) {
      if (in == null) {
        throw new IllegalStateException(NAME + " is not in the jar");
      }
      new RuleTable(new String(in.readAllBytes(), StandardCharsets.UTF_8)).lines(rules, tried);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is in the same jar
    }
  }

  /** Rules come before what the libraries were tried with. */
  private void lines(List<Rule> rules, @Nullable Map<String, List<String>> tried) {
    while (at < text.length()) {
      String first = cell('\t');
      if (!first.equals(TRIED)) {
        rules.add(rule(first));
      } else if (tried == null) {
        return;
      } else {
        String library = cell('\t');
        tried.put(library, list('\n'));
      }
    }
  }

  private Rule rule(String root) {
    String library = cell('\t');
    List<String> opens = list('\t');
    List<String> closes = list('\t');
    List<String> reopens = list('\t');
    List<String> wrappers = list('\t');
    Rule.FreedBy freedBy = freedBy(cell('\t'));
    boolean hierarchy = flag() == 1;
    boolean byDefault = flag() == 1;
    String holds = cell('\t');
    String called = cell('\t');
    String advice = cell('\t');
    String from = cell('\n');
    return new Rule(
        library, root, opens, closes, freedBy, hierarchy, reopens, wrappers, holds, called, advice,
        byDefault, from);
  }

  /** By hand: valueOf asks the enum for its constants by reflection, which is slow at first. */
  private static Rule.FreedBy freedBy(String name) {
    for (Rule.FreedBy one : FREED_BY) {
      if (one.name().equals(name)) {
        return one;
      }
    }
    throw new IllegalStateException("nobody is called " + name);
  }

  private String cell(char end) {
    int to = text.indexOf(end, at);
    String cell = text.substring(at, to);
    at = to + 1;
    return cell;
  }

  private int flag() {
    int flag = text.charAt(at) - '0';
    at += 2;
    return flag;
  }

  private List<String> list(char end) {
    String cell = cell(end);
    if (cell.equals(Rule.CONSTRUCTORS)) {
      return CONSTRUCTORS;
    }
    if (cell.isEmpty()) {
      return List.of();
    }
    int blank = cell.indexOf(' ');
    if (blank < 0) {
      return List.of(cell);
    }
    List<String> all = new ArrayList<>();
    int from = 0;
    while (blank >= 0) {
      all.add(cell.substring(from, blank));
      from = blank + 1;
      blank = cell.indexOf(' ', from);
    }
    all.add(cell.substring(from));
    return List.copyOf(all);
  }
}
