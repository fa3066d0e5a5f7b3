package dev.offcut.rules;

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
 * it at the start of each program, in an interpreter, where reading JSON is slow, and looking for
 * the end of a word, too.
 *
 * <p>So each text has its length before it, in one character, and each list the number of its
 * texts. After the rules, an empty text stands before what the libraries were tried with.
 */
public final class RuleTable {
  private static final String NAME = "closeables.table";

  /** A character of the file is a byte. */
  private static final int MOST = 0xff;

  /** Most rules have this list. */
  private static final List<String> CONSTRUCTORS = List.of(Rule.CONSTRUCTORS);

  private static final Rule.FreedBy[] FREED_BY = Rule.FreedBy.values();

  private final byte[] table;
  private int at;

  private RuleTable(byte[] table) {
    this.table = table;
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
    if (!Files.exists(table)
        || !Files.readString(table, StandardCharsets.ISO_8859_1).equals(text)) {
      Files.writeString(table, text, StandardCharsets.ISO_8859_1);
    }
  }

  private static String of(Rules rules) {
    StringBuilder table = new StringBuilder();
    for (Rule rule : rules.all()) {
      add(table, rule.root());
      add(table, rule.library());
      add(table, rule.opens());
      add(table, rule.closes());
      add(table, rule.reopens());
      add(table, rule.wrappers());
      table.append((char) List.of(FREED_BY).indexOf(rule.freedBy()));
      table.append(rule.hierarchy() ? '1' : '0');
      table.append(rule.byDefault() ? '1' : '0');
      add(table, rule.holds());
      add(table, rule.called());
      add(table, rule.advice());
      add(table, rule.from());
    }
    add(table, "");
    new TreeMap<>(rules.tried())
        .forEach(
            (library, releases) -> {
              add(table, library);
              add(table, releases);
            });
    return table.toString();
  }

  private static void add(StringBuilder table, List<String> all) {
    table.append((char) all.size());
    for (String one : all) {
      add(table, one);
    }
  }

  private static void add(StringBuilder table, String text) {
    if (text.length() > MOST || !StandardCharsets.US_ASCII.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException("too long, or not in ASCII: " + text);
    }
    table.append((char) text.length()).append(text);
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
      RuleTable table = new RuleTable(in.readAllBytes());
      table.rules(rules);
      if (tried != null) {
        table.tried(tried);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is in the same jar
    }
  }

  private void rules(List<Rule> rules) {
    for (String root = text(); !root.isEmpty(); root = text()) {
      String library = text();
      List<String> opens = list();
      List<String> closes = list();
      List<String> reopens = list();
      List<String> wrappers = list();
      Rule.FreedBy freedBy = FREED_BY[table[at]];
      boolean hierarchy = table[at + 1] == '1';
      boolean byDefault = table[at + 2] == '1';
      at += 3;
      rules.add(
          new Rule(
              library, root, opens, closes, freedBy, hierarchy, reopens, wrappers, text(), text(),
              text(), byDefault, text()));
    }
  }

  private void tried(Map<String, List<String>> tried) {
    while (at < table.length) {
      String library = text();
      tried.put(library, list());
    }
  }

  /** All is ASCII: each byte is a character, by the JDK's shortest way. */
  @SuppressWarnings("deprecation")
  private String text() {
    int length = table[at] & MOST;
    int from = at + 1;
    at = from + length;
    return length == 0 ? "" : new String(table, 0, from, length);
  }

  private List<String> list() {
    int size = table[at++] & MOST;
    if (size == 0) {
      return List.of();
    }
    if (size == 1) {
      String only = text();
      return only.equals(Rule.CONSTRUCTORS) ? CONSTRUCTORS : List.of(only);
    }
    List<String> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(text());
    }
    return List.copyOf(all);
  }
}
