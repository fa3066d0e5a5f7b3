package dev.offcut.rules;

import dev.offcut.rules.Json.Members;
import dev.offcut.rules.Json.NoJsonException;
import dev.offcut.rules.Rule.FreedBy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * An ordered list of rules: the built-in ones, or those of a file or text. No content of a file
 * makes reading fail: each problem becomes one sentence with the line, and the rest of the file is
 * used.
 *
 * <p>If several rules match a class, the rule of its nearest superclass or interface counts.
 */
public final class Rules {
  /** The path of the file in a jar by which a library brings rules for its own classes. */
  public static final String IN_JARS = "META-INF/offcut/closeables.json";

  /**
   * The name of the file of built-in rules in messages. The jar has them as a {@code RuleTable}.
   */
  public static final String BUILT_IN = "closeables.json";

  private static final String SCHEMA = "offcut.closeables/1";

  /**
   * A jar's file with more characters is not read, and rules after so many are not used: the
   * program did not ask for them, so they may cost it little.
   */
  private static final int LONGEST_IN_A_JAR = 1 << 18;

  private static final int MOST_IN_A_JAR = 100;
  private static final Set<String> OF_A_FILE = Set.of("schema", "description", "tried", "rules");
  private static final Set<String> OF_A_RULE =
      Set.of(
          "library",
          "class",
          "called",
          "opens",
          "closes",
          "reopens",
          "freedBy",
          "subclasses",
          "wrappers",
          "holds",
          "advice",
          "remark",
          "byDefault",
          "off");

  private final String source;
  private final Consumer<String> problems;
  private final Map<String, Rule> rules = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private final Map<String, List<String>> tried = new LinkedHashMap<>();

  private Rules(String source, Consumer<String> problems) {
    this.source = source;
    this.problems = problems;
  }

  /**
   * Returns the built-in rules.
   *
   * @return the rules
   * @throws IllegalStateException if they are missing in the jar: an error in the build
   */
  public static Rules builtIn() {
    Rules rules = new Rules(BUILT_IN, problem -> {});
    List<Rule> all = new ArrayList<>();
    RuleTable.read(all, rules.tried);
    for (Rule rule : all) {
      rules.rules.put(rule.root(), rule);
    }
    return rules;
  }

  /**
   * Reads a file of rules. A file that cannot be read is a problem, too, and has no rules.
   *
   * @param file the file, JSON in UTF-8; or a jar, whose own rules are read
   * @param problems receives one sentence for each problem, while this method runs
   * @return the usable rules
   */
  public static Rules read(Path file, Consumer<String> problems) {
    try {
      if (file.toString().endsWith(".jar")) {
        return readJar(file, problems);
      }
      return read(file.toString(), Files.readString(file), problems);
    } catch (NoSuchFileException e) {
      problems.accept(file + ": there is no such file; none of its rules is used");
    } catch (CharacterCodingException e) {
      problems.accept(file + ": it is no text in UTF-8; none of its rules is used");
    } catch (IOException e) {
      problems.accept(file + ": it cannot be read (" + e + "); none of its rules is used");
    }
    return new Rules(file.toString(), problems);
  }

  private static Rules readJar(Path file, Consumer<String> problems) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    try (ZipFile jar = new ZipFile(file.toFile())) {
      ZipEntry entry = jar.getEntry(IN_JARS);
      if (entry == null) {
        problems.accept(file + ": it has no " + IN_JARS + ", so it brings no rules");
        return new Rules(file.toString(), problems);
      }
      try (InputStream in = jar.getInputStream(entry)) {
        return ofJar(
            file + "!/" + IN_JARS, in.readAllBytes(), path -> jar.getEntry(path) != null, problems);
      }
    }
  }

  /**
   * Reads the rules that a jar, or a folder of classes, brings. They can only count objects of the
   * jar's own classes: a rule for any other class is left out, and {@code "off"} has no effect.
   *
   * @param source the name of its file {@link #IN_JARS} in messages
   * @param json the content of that file
   * @param has whether the jar has a file with the given path, such as {@code com/acme/Store.class}
   * @param problems receives one sentence for each problem, while this method runs
   * @return the usable rules
   */
  public static Rules ofJar(
      String source, byte[] json, Predicate<String> has, Consumer<String> problems) {
    if (json.length > LONGEST_IN_A_JAR) {
      problems.accept(
          "%s: it is longer than %s KiB; none of its rules is used"
              .formatted(source, LONGEST_IN_A_JAR >> 10));
      return new Rules(source, problems);
    }
    Rules rules = read(source, new String(json, StandardCharsets.UTF_8), problems);
    rules.keepOwn(has);
    return rules;
  }

  private void keepOwn(Predicate<String> has) {
    int used = 0;
    for (Rule rule : List.copyOf(rules.values())) {
      String problem =
          used == MOST_IN_A_JAR
              ? "a jar's file may have " + MOST_IN_A_JAR + " rules, and has more"
              : problemInJar(rule, has);
      rules.remove(rule.root());
      if (problem == null) {
        rules.put(rule.root(), rule.with(ownWrappers(rule, has), rule.from()));
        used++;
      } else {
        problems.accept(rule.from() + ": " + problem + "; the rule is left out");
      }
    }
  }

  private List<String> ownWrappers(Rule rule, Predicate<String> has) {
    List<String> own = new ArrayList<>();
    for (String wrapper : rule.wrappers()) {
      if (hasClass(wrapper, has)) {
        own.add(wrapper);
      } else {
        problems.accept(
            "%s: the jar has no class %s for \"wrappers\"; this name is ignored"
                .formatted(rule.from(), wrapper));
      }
    }
    return own;
  }

  private static @Nullable String problemInJar(Rule rule, Predicate<String> has) {
    String root = rule.root();
    if (rule.closes().isEmpty()) {
      return "a jar's rules can only count, so \"off\" has no effect; write it into a file of your"
          + " own";
    }
    if (root.startsWith("java.")
        || root.startsWith("javax.")
        || root.startsWith("jdk.")
        || root.startsWith("sun.")) {
      return root + " has a name of the JDK's, and a jar's rules are for its own classes";
    }
    return hasClass(root, has)
        ? null
        : "the jar has no class " + root + ", and a jar's rules are for its own classes";
  }

  /** Whether a jar has a class, perhaps for newer JDKs only. */
  private static boolean hasClass(String name, Predicate<String> has) {
    String path = name.replace('.', '/') + ".class";
    boolean is = has.test(path);
    for (int version = Runtime.version().feature(); !is && version > 8; version--) {
      is = has.test("META-INF/versions/" + version + "/" + path);
    }
    return is;
  }

  /**
   * Reads a text of rules.
   *
   * @param source the name of the text in messages
   * @param json the text
   * @param problems receives one sentence for each problem, while this method runs
   * @return the usable rules
   */
  public static Rules read(String source, String json, Consumer<String> problems) {
    Rules rules = new Rules(source, problems);
    try {
      if (Json.read(json) instanceof Members file) {
        rules.take(file);
      } else {
        rules.say(1, "this is no object with \"rules\"; none of its rules is used");
      }
    } catch (NoJsonException e) {
      rules.say(
          e.line, "this is no JSON: " + e.getMessage() + "; none of the file's rules is used");
    }
    return rules;
  }

  /**
   * Returns the rules in the order of the file. A rule with {@code "off": true} is not in the list.
   *
   * @return a new list
   */
  public List<Rule> all() {
    List<Rule> all = new ArrayList<>();
    for (Rule rule : rules.values()) {
      if (!rule.closes().isEmpty()) {
        all.add(rule);
      }
    }
    return all;
  }

  /**
   * Returns the classes that a rule with {@code "off": true} names.
   *
   * @return a new list of binary names
   */
  public List<String> off() {
    List<String> off = new ArrayList<>();
    for (Rule rule : rules.values()) {
      if (rule.closes().isEmpty()) {
        off.add(rule.root());
      }
    }
    return off;
  }

  /**
   * Returns the releases with which the rules of each library were tried.
   *
   * @return lists of {@code group:artifact:version}, by library; empty for the result of {@link
   *     #before}
   */
  public Map<String, List<String>> tried() {
    return Map.copyOf(tried);
  }

  /**
   * Returns these rules, followed by those of {@code other} that are about other classes. So a rule
   * of this object replaces a rule of {@code other} for the same class. With {@code "off": true} it
   * removes that rule.
   *
   * @param other the rules to add
   * @return new rules
   */
  public Rules before(Rules other) {
    Rules both = new Rules(source, problems);
    both.rules.putAll(rules);
    for (Rule rule : other.rules.values()) {
      both.rules.putIfAbsent(rule.root(), rule);
    }
    return both;
  }

  private void say(int line, String sentence) {
    problems.accept(source + ":" + line + ": " + sentence);
  }

  private void take(Members file) {
    Object schema = file.all().get("schema");
    if (!SCHEMA.equals(schema)) {
      say(
          file.line(),
          schema == null
              ? "there is no \"schema\"; add \"schema\": \"" + SCHEMA + "\""
              : "the schema " + schema + " is not known; " + SCHEMA + " is");
    }
    unknown(file, OF_A_FILE, "of a file of rules");
    if (file.all().get("tried") instanceof Members libraries) {
      for (String library : libraries.all().keySet()) {
        tried.put(library, List.copyOf(texts(libraries, library)));
      }
    }
    if (!(file.all().get("rules") instanceof List<?> list)) {
      say(file.line(), "there is no list \"rules\"; none of its rules is used");
      return;
    }
    for (Object one : list) {
      if (one instanceof Members members) {
        rule(members);
      } else {
        say(file.line(), "one of the rules is no object: " + one + "; it is left out");
      }
    }
  }

  private void unknown(Members members, Set<String> known, String of) {
    for (String name : members.all().keySet()) {
      if (!known.contains(name)) {
        say(
            members.line(),
            "\"" + name + "\" is no member " + of + "; it is ignored. Known are " + sorted(known));
      }
    }
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", names.stream().sorted().toList());
  }

  private void rule(Members members) {
    unknown(members, OF_A_RULE, "of a rule");
    Rule rule = parsed(members);
    if (rule == null) {
      return;
    }
    Integer other = lines.putIfAbsent(rule.root(), members.line());
    if (other != null) {
      say(
          members.line(),
          "there is a rule for %s in line %s, which is used; delete one of the two"
              .formatted(rule.root(), other));
      return;
    }
    rules.put(rule.root(), rule);
  }

  /** Null if it cannot be used, which has been said. One that is off has nothing that closes. */
  private @Nullable Rule parsed(Members members) {
    String root = text(members, "class");
    if (root.isEmpty()) {
      say(members.line(), "the rule has no \"class\"; name the class that has to be closed");
      return null;
    }
    if (!isClass(root)) {
      say(
          members.line(),
          root
              + " is no name of a class; write it with dots, and nested classes with $; the rule is"
              + " left out");
      return null;
    }
    List<String> closes = methods(members, "closes");
    boolean off = Boolean.TRUE.equals(members.all().get("off"));
    if (closes.isEmpty() && !off) {
      say(
          members.line(),
          "the rule for "
              + root
              + " has no \"closes\"; name the methods that close it, as [\"close\"]; it is left"
              + " out");
      return null;
    }
    List<String> opens = methods(members, "opens");
    FreedBy freedBy = freedBy(members);
    if (freedBy == null) {
      return null;
    }
    String library = text(members, "library");
    String advice = text(members, "advice");
    String holds = text(members, "holds");
    return new Rule(
        library.isEmpty() ? root : library,
        root,
        opens.isEmpty() ? List.of(Rule.CONSTRUCTORS) : opens,
        off ? List.of() : closes,
        freedBy,
        !Boolean.FALSE.equals(members.all().get("subclasses")),
        methods(members, "reopens"),
        texts(members, "wrappers"),
        holds.isEmpty() ? Rule.MALLOC : holds,
        text(members, "called"),
        advice.isEmpty() ? "close each in try-with-resources" : advice,
        !Boolean.FALSE.equals(members.all().get("byDefault")),
        source + ":" + members.line());
  }

  private @Nullable FreedBy freedBy(Members members) {
    String text = text(members, "freedBy");
    if (text.isEmpty()) {
      return FreedBy.NOBODY;
    }
    for (FreedBy one : FreedBy.values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(text)) {
        return one;
      }
    }
    say(
        members.line(),
        "\"freedBy\": \""
            + text
            + "\" is none of nobody, cleaner, finalizer, collector; the rule is left out");
    return null;
  }

  /** A text; empty if there is none. */
  private String text(Members members, String name) {
    Object value = members.all().get(name);
    if (value != null && !(value instanceof String)) {
      say(members.line(), "\"" + name + "\" is no text in quotes; it is ignored");
    }
    if (value instanceof String text && text.chars().anyMatch(Character::isISOControl)) {
      say(
          members.line(),
          "\"" + name + "\" has a character that controls terminals; it is ignored");
      return "";
    }
    return value instanceof String text ? text : "";
  }

  /** Texts, of a list or one alone. */
  private List<String> texts(Members members, String name) {
    Object value = members.all().get(name);
    List<String> all = new ArrayList<>();
    for (Object one :
        value instanceof List<?> list ? list : value == null ? List.of() : List.of(value)) {
      if (one instanceof String text && !text.isBlank()) {
        all.add(text);
      } else {
        say(
            members.line(),
            "\"" + name + "\" has a value that is no text in quotes; it is ignored");
      }
    }
    return all;
  }

  private List<String> methods(Members members, String name) {
    List<String> all = new ArrayList<>();
    for (String method : texts(members, name)) {
      boolean isUsable =
          name.equals("opens")
              ? isMethod(method) || isOpenerOfParameter(method)
              : isMethod(method) && !method.equals(Rule.CONSTRUCTORS);
      if (isUsable) {
        all.add(method);
      } else {
        say(
            members.line(),
            ("\"%s\" in \"%s\" is no method; write its name, as close, or its name and"
                    + " descriptor, as close(Z)V; it is ignored")
                .formatted(method, name));
      }
    }
    return all;
  }

  private static boolean isClass(String name) {
    for (String part : name.split("\\.", -1)) {
      if (!isIdentifier(part)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isMethod(String text) {
    int open = text.indexOf('(');
    String name = open < 0 ? text : text.substring(0, open);
    return (isIdentifier(name) || name.equals(Rule.CONSTRUCTORS))
        && text.indexOf('#') < 0
        && (open < 0
            || (text.lastIndexOf(')') > open && text.lastIndexOf(')') < text.length() - 1));
  }

  /** Whether it is a method, not a constructor, whose first parameter is an object. */
  private static boolean isOpenerOfParameter(String text) {
    return text.endsWith(Rule.OF_PARAMETER)
        && isMethod(text.substring(0, text.length() - Rule.OF_PARAMETER.length()))
        && isIdentifier(text.substring(0, Math.max(0, text.indexOf("(L"))));
  }

  private static boolean isIdentifier(String text) {
    return !text.isEmpty()
        && Character.isJavaIdentifierStart(text.charAt(0))
        && text.chars().allMatch(Character::isJavaIdentifierPart);
  }
}
