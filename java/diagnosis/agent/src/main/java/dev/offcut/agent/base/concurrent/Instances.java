package dev.offcut.agent.base.concurrent;

/**
 * What counts whatever its class: threads that run, class loaders, and classes that code made.
 * Their kind is the class that a rule names, and no class below it is rewritten.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Instances {
  /** The JDK's own class loaders, by which it calls methods by reflection. */
  private static final String OWN_LOADER = "jdk.internal.reflect.";

  /** Spreads the entries of one loader over the table: the golden ratio. */
  private static final int SPREAD = 0x9E3779B9;

  /**
   * So many hidden classes count for nothing: the JDK makes some when a program starts, and to look
   * who asked for one takes microseconds.
   */
  private static final int FEW_HIDDEN = 500;

  /** The kind of generated classes; 0: there was none yet. */
  private static int generated;

  private static int defined;

  /**
   * Hidden classes so far; threads may count one of two, which only puts off the first to count.
   */
  private static int hidden;

  private Instances() {}

  /**
   * One begins.
   *
   * @param root the class that the rule names
   * @param how what becomes of one that is unreachable, as in {@link Closeables}
   */
  public static void begins(Object object, Class<?> root, int how) {
    try {
      boolean isOwn = object instanceof Thread thread && OwnBuffers.isOwn(thread);
      if (!isOwn && !object.getClass().getName().startsWith(OWN_LOADER)) {
        int kind = Closeables.kindOf(root, how);
        if (kind > 0) {
          Closeables.begin(object, System.identityHashCode(object), kind);
        }
      }
    } catch (Throwable e) {
      // no memory or no stack is left: then it does not count
    }
  }

  /** One ends. */
  public static void ends(Object object) {
    try {
      Closeables.end(object);
    } catch (Throwable e) {
      // no stack is left: then it counts as open until it is unreachable
    }
  }

  /**
   * A class is being defined, in the thread that defines it. It counts if no class loader looked
   * for it, and ends with its loader.
   */
  public static void defined(ClassLoader loader) {
    try {
      if (!loader.getClass().getName().startsWith(OWN_LOADER) && new Stack().isOfGeneratedClass()) {
        generated(loader, ++defined * SPREAD);
      }
    } catch (Throwable e) {
      // as above
    }
  }

  /**
   * A class was defined that no class loader knows, or one that a lookup defined. It ends when it
   * is unloaded.
   */
  public static void hidden(Class<?> type) {
    try {
      if (type.isHidden() && ++hidden > FEW_HIDDEN && !Stack.isOfLinkage()) {
        generated(type, System.identityHashCode(type));
      }
    } catch (Throwable e) {
      // as above
    }
  }

  private static void generated(Object endsWith, int hash) {
    if (generated == 0) {
      generated = Closeables.newKind(Class.class, Counts.COLLECTED + Closeables.EXACTLY);
    }
    if (generated > 0) {
      Closeables.begin(endsWith, hash, generated);
    }
  }
}
