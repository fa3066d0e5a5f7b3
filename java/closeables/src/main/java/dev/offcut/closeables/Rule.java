package dev.offcut.closeables;

import java.util.List;

/**
 * What a program has to close: a class, and the methods that open and close its objects.
 *
 * <p>An object is opened when its construction ends, or when a method of {@code opens} or {@code
 * reopens} returns. It is closed when a method of {@code closes} begins, in the class or in a class
 * below it. The first close counts.
 *
 * @param library what people call it: {@code RocksDB}
 * @param root the class or interface, by its binary name with dots: {@code
 *     org.rocksdb.RocksObject}. A package and {@code .*} at its end stands for each {@code
 *     AutoCloseable} in it and below it
 * @param opens methods whose return opens an object; {@code <init>}, the usual one, stands for all
 *     constructors. A method without {@code <init>} here is for objects that are made before they
 *     hold anything
 * @param closes methods whose begin closes an object: a name, as {@code stop}, for the method of
 *     that name without parameters, or a name and a descriptor, as {@code free(Z)V}. Never empty
 * @param freedBy who frees an object that the program does not close
 * @param hierarchy whether classes below the root belong to it; if not, objects of exactly this
 *     class count. Interfaces always have their classes
 * @param reopens methods whose return opens an object again that was closed; written as those of
 *     {@code closes}
 * @param wrappers classes below the root that are left out with all below them, by binary names: a
 *     wrapper that owns nothing, such as a view that its parent closes
 * @param holds what an object has that somebody has to give back: {@code malloc}, {@code
 *     descriptor}, {@code thread}, {@code pool}, or a kind that the agent counts besides, such as
 *     {@code unsafe}
 * @param called what one is called, if that is not the name of its class; or empty
 * @param advice what to do so that one is closed in time, in the form of a command
 * @param from where the rule stands, for messages: {@code FILE:LINE}
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

  /** Constructors, among {@code opens}. */
  public static final String CONSTRUCTORS = "<init>";

  /** Memory of malloc, in {@code holds}. */
  public static final String MALLOC = "malloc";

  /** Copies the lists. */
  public Rule {
    opens = List.copyOf(opens);
    closes = List.copyOf(closes);
    reopens = List.copyOf(reopens);
    wrappers = List.copyOf(wrappers);
  }

  /** Each {@code AutoCloseable} of a package that the user names, and of those below it. */
  public static Rule ofPackage(String name) {
    return new Rule(
        "--watch-package",
        name + ".*",
        List.of(CONSTRUCTORS),
        List.of("close"),
        FreedBy.NOBODY,
        true,
        List.of(),
        List.of(),
        MALLOC,
        "",
        "close it in try-with-resources",
        "--watch-package " + name);
  }

  /** A class that the user names, closed by these methods. */
  public static Rule of(String root, List<String> closes) {
    return new Rule(
        "--watch",
        root,
        List.of(CONSTRUCTORS),
        closes,
        FreedBy.NOBODY,
        true,
        List.of(),
        List.of(),
        MALLOC,
        "",
        "close each in try-with-resources",
        "--watch " + root);
  }

  /** Whether it is about a package, not a class. */
  public boolean isPackage() {
    return root.endsWith(".*");
  }

  /** Whether the user gave it: it is neither built in nor in a jar. */
  public boolean isOfUser() {
    return !from.startsWith(Rules.BUILT_IN + ":") && !from.contains(Rules.IN_JARS);
  }

  /** What so many of a class that belongs to this rule are called. */
  public String words(String type, long count) {
    return called.isEmpty()
        ? type.substring(type.lastIndexOf('.') + 1)
        : called + (count == 1 ? "" : "s");
  }
}
