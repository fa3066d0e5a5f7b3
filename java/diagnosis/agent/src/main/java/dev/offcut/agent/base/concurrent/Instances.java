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

  /** The kind of generated classes; 0: there was none yet. */
  private static int generated;

  private static int defined;

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
        if (generated == 0) {
          generated = Closeables.newKind(Class.class, Counts.COLLECTED + Closeables.EXACTLY);
        }
        if (generated > 0) {
          Closeables.begin(loader, ++defined * SPREAD, generated);
        }
      }
    } catch (Throwable e) {
      // as above
    }
  }
}
