package dev.offcut.rules;

import java.util.List;

/**
 * A rule of closeables: a class whose objects a program has to close, and the methods that open and
 * close them.
 *
 * <p>An object is opened when a method in {@code opens} or {@code reopens} returns; the methods in
 * {@code opens} are usually its constructors. It is closed when a method in {@code closes} begins,
 * in the class or in a subclass. Only the first close counts.
 *
 * @param library the library's name in reports, such as {@code RocksDB}
 * @param root the binary name of the class or interface, such as {@code org.rocksdb.RocksObject};
 *     or a package and {@code .*}, which stands for each {@code AutoCloseable} in the package and
 *     in its subpackages
 * @param opens the methods that open an object when they return. {@code <init>} stands for all
 *     constructors, and is the usual value. Leave it out if a constructor makes an object that
 *     holds nothing yet. {@code accept(Lcom/acme/Peer;)V#1} opens not its own object, but the one
 *     that is its first parameter
 * @param closes the methods that close an object when they begin, never empty. {@code stop} is the
 *     method {@code stop} without parameters; {@code free(Z)V} is a method by name and descriptor
 * @param freedBy who frees an object that the program does not close
 * @param hierarchy whether the rule also counts subclasses; if not, it counts objects of exactly
 *     this class. For an interface, it always counts the classes that implement it
 * @param reopens the methods that open a closed object again when they return, written like {@code
 *     closes}
 * @param wrappers the binary names of subclasses that the rule leaves out, with all below them. An
 *     example is a wrapper that owns nothing: a view that its parent closes
 * @param holds what an object holds until it is closed: {@code malloc}, {@code descriptor}, {@code
 *     thread}, {@code pool} or {@code nothing}; or one of the kinds of memory that the agent
 *     counts, such as {@code unsafe}
 * @param called the name of one object in reports; empty if that is the name of its class
 * @param advice what to do to close the objects in time, as an imperative sentence without a full
 *     stop
 * @param byDefault whether a built-in rule applies unless the user asks for all of them; a rule of
 *     the user always applies
 * @param from the place of the rule in messages: {@code FILE:LINE}, or the option that made it
 */
public record Rule(
    String library,
    String root,
    List<String> opens,
    List<String> closes,
    FreedBy freedBy,
    boolean hierarchy,
    List<String> reopens,
    List<String> wrappers,
    String holds,
    String called,
    String advice,
    boolean byDefault,
    String from) {
  /** Who frees an object that is unreachable and was not closed. */
  public enum FreedBy {
    /** Nobody: it is lost. */
    NOBODY,
    /** A cleaner of the library: it is collected. */
    CLEANER,
    /** Its finalizer: it is collected. */
    FINALIZER,
    /**
     * It has nothing but memory of the Java heap, or ends by itself: it is collected, by design.
     */
    COLLECTOR
  }

  /** The word in {@code opens} that stands for all constructors. */
  public static final String CONSTRUCTORS = "<init>";

  /** What stands behind a method in {@code opens} that opens the object that it is given. */
  public static final String OF_PARAMETER = "#1";

  /** The word in {@code holds} for memory of malloc. */
  public static final String MALLOC = "malloc";

  /** The word in {@code holds} for an object that is a part of its library's pool. */
  public static final String POOL = "pool";

  /** What an object holds that is itself a resource which a program has few of. */
  private static final List<String> HEAVY =
      List.of("thread", "executor", "selector", "watch", "loader");

  /** The word in {@code holds} for a descriptor of a file. */
  public static final String DESCRIPTOR = "descriptor";

  /** The word in {@code holds} for a mapped region of a file. */
  public static final String MAPPING = "mapping";

  /** What an object holds of which each opening is worth a stack. */
  private static final List<String> EXACT = List.of("socket", MAPPING, "class");

  /** The place of a rule that is made from the shape of a class file. */
  public static final String BY_SHAPE = "the shape of its class file";

  /** The word in {@code holds} for an object that may be a view of what another one owns. */
  public static final String NOTHING = "nothing";

  /** Copies the lists. */
  public Rule {
    opens = List.copyOf(opens);
    closes = List.copyOf(closes);
    reopens = List.copyOf(reopens);
    wrappers = List.copyOf(wrappers);
  }

  /**
   * Makes a rule of a package that the user names: it counts each {@code AutoCloseable} in it and
   * in its subpackages.
   *
   * @param name the package
   * @return the rule
   */
  public static Rule ofPackage(String name) {
    return ofUser("--watch-package", name + ".*", List.of("close"), "close it", name);
  }

  /**
   * Makes a rule of a class that the user names.
   *
   * @param root the binary name of the class or interface
   * @param closes the methods that close an object, not empty
   * @return the rule
   */
  public static Rule of(String root, List<String> closes) {
    return ofUser("--watch", root, closes, "close each", root);
  }

  private static Rule ofUser(
      String option, String root, List<String> closes, String advice, String given) {
    return new Rule(
        option,
        root,
        List.of(CONSTRUCTORS),
        closes,
        FreedBy.NOBODY,
        true,
        List.of(),
        List.of(),
        MALLOC,
        "",
        advice + " in try-with-resources",
        true,
        option + " " + given);
  }

  /** Whether something has few of what {@code holds} says, so that ten more are many. */
  public static boolean isHeavy(String holds) {
    return HEAVY.contains(holds);
  }

  /** Whether what {@code holds} says is a thread, or has some. */
  public static boolean isOfThreads(String holds) {
    return holds.equals("thread") || holds.equals("executor");
  }

  /** Whether what {@code holds} says is a resource of the process, and not memory. */
  public static boolean isResource(String holds) {
    return isHeavy(holds) || EXACT.contains(holds) || holds.equals(DESCRIPTOR);
  }

  /** Whether each opening leaves its stack. */
  public boolean isExact() {
    return isHeavy(holds) || EXACT.contains(holds);
  }

  /** The same rule with other wrappers, and from another place. */
  Rule with(List<String> others, String place) {
    return new Rule(
        library, root, opens, closes, freedBy, hierarchy, reopens, others, holds, called, advice,
        byDefault, place);
  }

  /**
   * Returns whether another rule says the same of the same class, wherever the two come from.
   *
   * @param other the other rule
   * @return whether one of the two can take the other's place
   */
  public boolean isSame(Rule other) {
    return equals(other.with(other.wrappers, from));
  }

  /**
   * Returns whether this rule is about a package, not about a class.
   *
   * @return whether {@code root} ends in {@code .*}
   */
  public boolean isPackage() {
    return root.endsWith(".*");
  }

  /**
   * Returns whether the user gave this rule. All other rules are built in or brought by a jar.
   *
   * @return whether it is the user's
   */
  public boolean isOfUser() {
    return !isBuiltIn() && !isByShape() && !from.contains(Rules.IN_JARS);
  }

  /**
   * Returns whether the agent made this rule, because the class file shows that its objects own
   * something native.
   *
   * @return whether nobody wrote it
   */
  public boolean isByShape() {
    return from.equals(BY_SHAPE);
  }

  /**
   * Returns whether this rule is built in.
   *
   * @return whether it is in the file {@link Rules#BUILT_IN}
   */
  public boolean isBuiltIn() {
    return from.startsWith(Rules.BUILT_IN + ":");
  }

  /**
   * Returns the word for objects of a class in a report. If the rule has a {@code called}, the word
   * is that, in the plural unless {@code count} is 1. Otherwise it is the simple name of the class.
   *
   * @param type the binary name of a class that this rule counts
   * @param count how many objects the report speaks of
   * @return the word
   */
  public String words(String type, long count) {
    return called.isEmpty()
        ? type.substring(type.lastIndexOf('.') + 1)
        : called + plural(called, count);
  }

  /**
   * Returns what makes a word the plural, unless there is one.
   *
   * @param word the word
   * @param count how many there are
   * @return the ending
   */
  public static String plural(String word, long count) {
    return count == 1 ? "" : word.endsWith("s") ? "es" : "s";
  }
}
