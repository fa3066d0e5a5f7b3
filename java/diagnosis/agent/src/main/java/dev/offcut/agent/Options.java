package dev.offcut.agent;

import dev.offcut.agent.hooks.Level;
import dev.offcut.agent.rules.Wanted;
import dev.offcut.rules.Rule;
import dev.offcut.rules.RuleTable;
import dev.offcut.rules.Rules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the switches stand. All are on but those that are switched off: by the environment ({@code
 * OFFCUT_UNSAFE=off}), by a system property ({@code -Doffcut.unsafe=off}) or by an option of the
 * agent ({@code unsafe=off}). The later of these wins.
 *
 * <p>What is not understood is said in one line each, and changes nothing.
 */
final class Options {
  /** Enough for a leak of thousands to have a dozen stacks, and cheap enough for production. */
  private static final int SAMPLE = 128;

  /** A machine that fails takes the figures of so long with it. */
  private static final String EVERY = "10m";

  /** As `offcut fleet` takes them: what may be in the name of a folder everywhere. */
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final Map<Option, String> values = new EnumMap<>(Option.class);

  /** Names that are none, a sentence each: by the option of which they are. */
  private final Map<Option, List<String>> wrong = new EnumMap<>(Option.class);

  private Options() {}

  /** Reads all sources; those of the agent are {@code key=value,key=value}. */
  static Options read(@Nullable String given) {
    Options all = new Options();
    for (Option option : Option.values()) {
      String variable = System.getenv(option.variable());
      String property = System.getProperty(option.property());
      if (variable != null) {
        all.set(option, option.variable(), variable);
      }
      if (property != null) {
        all.set(option, option.property(), property);
      }
    }
    for (String pair : given == null ? new String[0] : given.split(",", -1)) {
      if (!pair.isBlank()) {
        all.set(pair.trim());
      }
    }
    return all;
  }

  /** Whether a switch is on, by a source or because none says anything. */
  boolean isOn(Option option) {
    return !isOff(option);
  }

  /** Whether a source says that a switch is off. */
  boolean isOff(Option option) {
    return "off".equals(values.get(option));
  }

  /** The value, or null. */
  @Nullable String value(Option option) {
    return values.get(option);
  }

  /** How much is tracked. */
  Level level() {
    String level = values.get(Option.LEVEL);
    Level known = level == null ? null : Level.of(level);
    return known == null ? Level.SAMPLE : known;
  }

  /** Of how many openings one leaves its stack. */
  int sample() {
    String every = values.get(Option.SAMPLE);
    return every == null ? SAMPLE : number(every);
  }

  /** A count of openings or answers: beyond the largest int, one more makes no difference. */
  private static int number(String count) {
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(count));
  }

  /** Seconds that the program's end may wait for who looks at its objects; 0 if nobody will. */
  long holders() {
    String seconds = values.get(Option.HOLDERS);
    return seconds == null ? 0 : Long.parseLong(seconds);
  }

  /** Bytes of malloc in use that the agent missed; -1 if nobody said. */
  long missed() {
    String bytes = values.get(Option.MISSED);
    return bytes == null ? -1 : Long.parseLong(bytes);
  }

  /** The fleet that copies of the tables are put into; null: none. */
  Tracking.@Nullable Fleet fleet() {
    String folder = values.get(Option.FLEET);
    String service = values.get(Option.FLEET_SERVICE);
    String version = values.get(Option.FLEET_VERSION);
    if (folder == null) {
      return null;
    }
    if (service == null || version == null || isOff(Option.TABLES)) {
      Messages.say(
          "fleet needs fleet.service, fleet.version and tables; nothing is put into " + folder);
      return null;
    }
    String every = values.getOrDefault(Option.FLEET_EVERY, EVERY);
    long number = Long.parseLong(every.substring(0, every.length() - 1));
    TimeUnit unit =
        every.endsWith("h")
            ? TimeUnit.HOURS
            : every.endsWith("m") ? TimeUnit.MINUTES : TimeUnit.SECONDS;
    return new Tracking.Fleet(
        folder, service, version, values.get(Option.FLEET_HOST), unit.toMillis(number));
  }

  /**
   * The rules for closeables, of several for one class the first: classes and packages that the
   * user names ({@code CLASS}, closed by {@code close()}, or {@code CLASS#METHOD}, or with several
   * methods; a plus stands between two classes), then those of a file, then those that are built
   * in: all of them if they are switched on, and unless something is said those that cost little.
   * Those of jars go before the last.
   */
  Wanted watched() {
    List<Rule> rules = named();
    List<String> problems = new ArrayList<>();
    for (List<String> names : wrong.values()) {
      problems.addAll(names);
    }
    String value = values.get(Option.RULES);
    if (value != null && value.equals("off")) {
      return new Wanted(rules, false, List.of(), problems, isGiven(Option.SHAPES));
    }
    boolean isAll = isGiven(Option.RULES);
    List<String> off = List.of();
    List<Rule> all;
    if (value == null || isAll) {
      all = RuleTable.all();
    } else {
      int own = problems.size();
      Rules file = Rules.read(Path.of(value), problems::add).before(Rules.builtIn());
      problems.subList(own, problems.size()).forEach(Messages::say);
      all = file.all();
      off = file.off();
    }
    for (Rule rule : all) {
      if (isAll || rule.byDefault() || rule.isOfUser()) {
        rules.add(rule);
      }
    }
    return new Wanted(rules, true, off, problems, isOn(Option.SHAPES));
  }

  /** Which rules are used, in a word: on, off, file or default. */
  String rules() {
    String value = values.get(Option.RULES);
    if (value == null) {
      return "default";
    }
    return value.equals("on") || value.equals("off") ? value : "file";
  }

  /** Whether the user asks for closeables. */
  boolean watches() {
    return values.containsKey(Option.WATCH)
        || values.containsKey(Option.WATCH_PACKAGE)
        || (values.containsKey(Option.RULES) && !isOff(Option.RULES));
  }

  private List<Rule> named() {
    List<Rule> rules = new ArrayList<>();
    for (String one : split(Option.WATCH)) {
      String[] words = one.split("#", -1);
      List<String> closes = List.of(words).subList(1, words.length);
      rules.add(Rule.of(words[0], closes.isEmpty() ? List.of("close") : closes));
    }
    for (String one : split(Option.WATCH_PACKAGE)) {
      rules.add(Rule.ofPackage(one));
    }
    return rules;
  }

  private List<String> split(Option option) {
    String value = values.get(option);
    return value == null ? List.of() : List.of(value.split("\\+", -1));
  }

  /** Whether something is switched on that is off unless it is. */
  boolean isGiven(Option option) {
    return "on".equals(values.get(option));
  }

  private void set(String pair) {
    int equals = pair.indexOf('=');
    String key = equals < 0 ? pair : pair.substring(0, equals);
    for (Option option : Option.values()) {
      if (option.label().equals(key)) {
        set(option, key, equals < 0 ? "" : pair.substring(equals + 1));
        return;
      }
    }
    StringBuilder known = new StringBuilder();
    for (Option option : Option.values()) {
      known.append(known.isEmpty() ? "" : ", ").append(option.label());
    }
    Messages.say("the option " + key + " is unknown; known are " + known);
  }

  private void set(Option option, String name, String value) {
    if (option.isSwitch() || option == Option.GCATEXIT || option == Option.QUIET) {
      setSwitch(option, name, value);
      return;
    }
    if (!value.isEmpty() && (option == Option.WATCH || option == Option.WATCH_PACKAGE)) {
      setNames(option, name, value);
      return;
    }
    String problem = problem(option, value);
    if (problem == null) {
      values.put(option, value);
    } else {
      Messages.say(value.isEmpty() ? name + problem : name + "=" + value + problem);
    }
  }

  /** What is wrong with a value, and what it means; null: nothing. */
  private @Nullable String problem(Option option, String value) {
    if (value.isEmpty()) {
      return " has no value; it has no effect";
    }
    return switch (option) {
      case SAMPLE -> isCount(value) ? null : " is not a number from 1 on; " + sample() + " is used";
      case MISSED, HOLDERS ->
          isCount(value) ? null : " is not a number from 1 on; it has no effect";
      case FLEET_EVERY ->
          isTime(value) ? null : " is no time, such as 30s, 10m or 1h; " + EVERY + " is used";
      case FLEET_SERVICE, FLEET_VERSION, FLEET_HOST ->
          LABEL.matcher(value).matches()
              ? null
              : " has other characters than letters, digits, dots, dashes and underscores, or more"
                  + " than 100; it has no effect";
      case LEVEL ->
          Level.of(value) != null
              ? null
              : " is none of off, count, sample, full; " + level().label() + " is used";
      default -> null;
    };
  }

  private static boolean isTime(String value) {
    int end = value.length() - 1;
    return "smh".indexOf(value.charAt(end)) >= 0 && isCount(value.substring(0, end));
  }

  /** A name that is none does not take the others with it. */
  private void setNames(Option option, String name, String value) {
    List<String> names = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String one : value.split("\\+", -1)) {
      String problem = problemOfName(option == Option.WATCH, one);
      if (problem == null) {
        names.add(one);
      } else {
        problems.add(name + "=" + value + ": " + problem);
      }
    }
    for (String problem : problems) {
      Messages.say(problem);
    }
    wrong.put(option, problems);
    if (!names.isEmpty()) {
      values.put(option, String.join("+", names));
    }
  }

  private static @Nullable String problemOfName(boolean mayHaveMethods, String one) {
    String[] words = one.split("#", -1);
    boolean isName = words.length == 1 || mayHaveMethods;
    for (String word : words[0].split("\\.", -1)) {
      isName &= isIdentifier(word);
    }
    for (int i = 1; i < words.length; i++) {
      isName &= isIdentifier(words[i]);
    }
    if (!isName) {
      return (one.isEmpty() ? "an empty name" : one)
          + (mayHaveMethods ? " is no CLASS or CLASS#METHOD" : " is no package")
          + "; it is not watched";
    }
    return one.equals("java.lang.Object")
        ? "every class is a java.lang.Object; name the class whose objects are to be closed"
        : null;
  }

  private static boolean isIdentifier(String word) {
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (i == 0 ? !Character.isJavaIdentifierStart(c) : !Character.isJavaIdentifierPart(c)) {
        return false;
      }
    }
    return !word.isEmpty();
  }

  /** A number from 1 on. */
  private static boolean isCount(String value) {
    try {
      return Long.parseLong(value) > 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private void setSwitch(Option option, String name, String value) {
    switch (value) {
      case "on", "true" -> values.put(option, "on");
      case "off", "false" -> values.put(option, "off");
      default ->
          Messages.say(
              name
                  + "="
                  + value
                  + " is neither on nor off; "
                  + ((option.isSwitch() ? isOn(option) : isGiven(option)) ? "on" : "off")
                  + " is used");
    }
  }
}
