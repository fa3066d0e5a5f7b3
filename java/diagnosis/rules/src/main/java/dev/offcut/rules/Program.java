package dev.offcut.rules;

import org.jspecify.annotations.Nullable;

/**
 * Which classes are the program's own, as opposed to its libraries'. A class is, if it is from a
 * folder of classes or a source file, if it is from where the main class is from, or if its package
 * begins like the main class's.
 *
 * <p>Immutable; for any thread. The agent has a copy of this class in java.base.
 */
public final class Program {
  /** A program of which nothing is known. */
  public static final Program UNKNOWN = new Program(null, false, null);

  /** Below these, each project of an organization has a package. */
  private static final String[] UMBRELLAS = {
    "com.github.", "io.github.", "org.apache.", "org.eclipse.", "com.google."
  };

  /** Classes that run other programs: neither their package nor their jar says which is one's. */
  private static final String[] LAUNCHERS = {
    "org.springframework.boot.loader.",
    "org.apache.maven.surefire.",
    "org.apache.catalina.startup.",
    "org.eclipse.jetty.start.",
    "org.gradle.",
    "worker.org.gradle.",
    "com.intellij.rt.",
    "com.sun.tools.javac.launcher.",
  };

  /** What the JVM compiles itself, as in {@code java Main.java}, is from there. */
  private static final String SOURCE = ".java";

  /** What names of archives end with. */
  private static final String[] ARCHIVES = {".jar", ".war", ".ear", ".zip"};

  private final @Nullable String source;
  private final boolean isPacked;

  /** What the program's packages begin with, a dot behind; empty: its classes have no package. */
  private final @Nullable String prefix;

  private Program(@Nullable String source, boolean isPacked, @Nullable String prefix) {
    this.source = source;
    this.isPacked = isPacked;
    this.prefix = prefix;
  }

  /**
   * The program of a main class.
   *
   * @param mainClass its name, or what its launcher's manifest names as {@code Start-Class}; null
   *     if it is not known
   * @param source where the class is from, as a URL; null if it is not known
   * @param isPacked whether libraries may be packed together with the class, as in an uber-jar
   */
  public static Program of(@Nullable String mainClass, @Nullable String source, boolean isPacked) {
    if (mainClass == null || isLauncher(mainClass)) {
      return UNKNOWN;
    }
    int end = mainClass.indexOf('.');
    if (end < 0) {
      return new Program(source, isPacked, "");
    }
    int most = 2;
    for (String umbrella : UMBRELLAS) {
      if (mainClass.startsWith(umbrella)) {
        most = 3;
      }
    }
    int segments = 1;
    int next = mainClass.indexOf('.', end + 1);
    while (next >= 0 && segments < most) {
      segments++;
      end = next;
      next = mainClass.indexOf('.', end + 1);
    }
    return new Program(source, isPacked, mainClass.substring(0, end + 1));
  }

  /** Whether a main class is known to run another program. */
  public static boolean isLauncher(String mainClass) {
    for (String launcher : LAUNCHERS) {
      if (mainClass.startsWith(launcher)) {
        return true;
      }
    }
    return false;
  }

  private boolean isNamedLike(String className) {
    if (prefix == null) {
      return false;
    }
    return prefix.isEmpty() ? className.indexOf('.') < 0 : className.startsWith(prefix);
  }

  /** What {@link CallSiteRule} is told of a class. */
  public int traits(String className, String from) {
    int traits = isNamedLike(className) ? CallSiteRule.NAMED : 0;
    if (isFolder(from) || from.endsWith(SOURCE)) {
      return traits | CallSiteRule.OWN;
    }
    return from.equals(source)
        ? traits | (isPacked ? CallSiteRule.MAIN : CallSiteRule.OWN)
        : traits;
  }

  /** Whether a code source is a folder of classes, on the disk or within an archive. */
  public static boolean isFolder(String from) {
    if (!from.endsWith("/")) {
      return false;
    }
    int end = end(from);
    for (String archive : ARCHIVES) {
      if (from.startsWith(archive, end - archive.length())) {
        return false;
      }
    }
    // What another protocol calls a folder may be all of a bundle.
    return from.startsWith("file:") || from.startsWith("classes", end - "classes".length());
  }

  /**
   * What a code source is called, in a word: the file of a jar, the name of a module, or the last
   * two folders of a path.
   */
  public static String name(String from) {
    int end = end(from);
    int begin = begin(from, end);
    int outer = isFolder(from) ? begin(from, begin - 1) : begin;
    return from.substring(outer < begin - 1 ? outer : begin, end);
  }

  private static int end(String path) {
    int end = path.length();
    while (end > 0 && "/!".indexOf(path.charAt(end - 1)) >= 0) {
      end--;
    }
    return end;
  }

  private static int begin(String path, int end) {
    int begin = end;
    while (begin > 0 && "/!:".indexOf(path.charAt(begin - 1)) < 0) {
      begin--;
    }
    return begin;
  }
}
