package dev.offcut.agent.watch;

import java.util.List;

/**
 * What a program has to close: a class, and the methods that open and close its objects. A rule is
 * data; whoever reads rules makes these, and {@code Watching} acts on them.
 *
 * <p>An object is opened when its construction ends, or when a method of {@code opens} or {@code
 * reopens} returns. It is closed when a method of {@code closes} begins, in the class or in a class
 * below it. The first close counts.
 *
 * @param library what people call it, and the rule's id in tables and messages: {@code RocksDB}; of
 *     the user's own classes {@code --watch}
 * @param root the class or interface, by its binary name with dots: {@code org.rocksdb.RocksObject}
 * @param opens methods whose return opens an object; {@code <init>}, the usual one, stands for all
 *     constructors. A method without {@code <init>} here is for objects that are made before they
 *     hold anything
 * @param closes methods whose begin closes an object: a name for the method of that name without
 *     parameters, {@code end}, or a name and a descriptor, {@code end(Z)V}. Never empty
 * @param freedBy who frees an object that the program does not close
 * @param hierarchy whether classes below the root belong to it; if not, objects of exactly this
 *     class count. Interfaces always have their classes
 * @param reopens methods whose return opens an object again that was closed: {@code resetRefCnt};
 *     written as those of {@code closes}
 * @param wrappers classes below the root that are left out with all below them, by binary names: a
 *     wrapper that owns nothing, such as a view that its parent closes. A pool's wrapper is none of
 *     these: its close is what the program owes, so it counts, and what it wraps counts as well
 * @param from where the rule stands, for messages: {@code FILE:LINE}, or the option
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
    String from) {
  /** Who frees an object that is unreachable and was not closed. */
  public enum FreedBy {
    /** Nobody: it is lost. */
    NOBODY,
    /** A cleaner of the library: it is collected. */
    CLEANER,
    /** Its finalizer: it is collected. */
    FINALIZER,
    /** It holds nothing but memory of the Java heap: it is collected. */
    COLLECTOR
  }

  /** Constructors, among {@code opens}. */
  public static final String CONSTRUCTORS = "<init>";

  /** Copies the lists. */
  public Rule {
    opens = List.copyOf(opens);
    closes = List.copyOf(closes);
    reopens = List.copyOf(reopens);
    wrappers = List.copyOf(wrappers);
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
        "--watch " + root);
  }
}
