package dev.offcut.agent.base.concurrent;

import dev.offcut.rules.CallSiteRule;
import dev.offcut.rules.Program;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a class is from, and what that tells of its place in the program: the number and the traits
 * that {@link CallSiteRule} asks for.
 *
 * <p>It keeps names and numbers only: the program's class loaders can go.
 */
final class Origin {
  private static final Origin NOBODY = new Origin(CallSiteRule.NOBODY, 0);

  private static final String REFLECTION = "jdk.internal.reflect.";

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  /** A program may make code sources without end. What is beyond these has one number. */
  private static final int MOST = 10_000;

  /** By code source; under its lock, as the next one. */
  private static final Map<String, Integer> NUMBERS = new HashMap<>();

  /** By number. */
  private static final List<String> NAMES = new ArrayList<>(List.of(""));

  private static volatile Program program = Program.UNKNOWN;

  private static volatile @Nullable ClassLoader agent;

  /** Replaced when the program is known better. */
  private static volatile ClassValue<Origin> known = new Classes();

  final int source;
  final int traits;

  private Origin(int source, int traits) {
    this.source = source;
    this.traits = traits;
  }

  /** By class, and so as long as the class is loaded. */
  private static final class Classes extends ClassValue<Origin> {
    @Override
    protected Origin computeValue(Class<?> type) {
      return compute(type);
    }
  }

  /** Sets whose classes count as the JDK's. */
  static void agent(@Nullable ClassLoader loader) {
    agent = loader;
  }

  /** Sets what is known of the program. What was asked for before is asked for again. */
  static void program(@Nullable String mainClass, @Nullable URL location, boolean isPacked) {
    program = Program.of(mainClass, location == null ? null : text(location), isPacked);
    known = new Classes();
  }

  /** No code of the program runs, as it might if the URL were asked for its text. */
  private static String text(URL location) {
    String host = location.getHost();
    String before = host == null || host.isEmpty() ? ":" : "://".concat(host);
    return location.getProtocol().concat(before).concat(location.getPath());
  }

  static Origin of(Class<?> type) {
    return isLoadedForJdk(type) ? NOBODY : known.get(type);
  }

  /** Of a class of which only the name is known. */
  static Origin named(String name) {
    return new Origin(CallSiteRule.NOBODY + 1, traits(name, ""));
  }

  /** Whether a class is the JDK's or the agent's. */
  static boolean isJdks(Class<?> type) {
    // Up to JDK 17, each accessor that reflection generates has a class loader of its own.
    return isLoadedForJdk(type) || type.getName().startsWith(REFLECTION);
  }

  private static boolean isLoadedForJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == PLATFORM || loader == agent;
  }

  private static Origin compute(Class<?> type) {
    String name = type.getName();
    String from = from(type, name);
    if (from == null) {
      return NOBODY;
    }
    int traits = traits(name, from);
    boolean isOffcuts =
        (traits & (CallSiteRule.LIBRARY | CallSiteRule.OWN)) == CallSiteRule.LIBRARY
            && name.startsWith(TrackingSettings.OWN);
    return isOffcuts ? NOBODY : new Origin(number(from), traits);
  }

  private static int traits(String name, String from) {
    int traits = program.traits(name, from);
    for (String library : TrackingSettings.LIBRARIES) {
      if (name.startsWith(library)) {
        return traits | CallSiteRule.LIBRARY;
      }
    }
    return traits;
  }

  /** The code source of a class; null: it is the JDK's. A hidden class has that of its host. */
  private static @Nullable String from(Class<?> type, String name) {
    try {
      CodeSource code = type.getProtectionDomain().getCodeSource();
      URL at = code == null ? null : code.getLocation();
      if (at != null) {
        String from = text(at);
        return from.startsWith("jrt:/java.") || from.startsWith("jrt:/jdk.") ? null : from;
      }
    } catch (SecurityException e) {
      return ""; // the program's security manager does not tell
    }
    return name.startsWith(REFLECTION)
            || name.startsWith("jdk.proxy")
            || name.startsWith("com.sun.proxy.")
        ? null
        : "";
  }

  private static int number(String from) {
    synchronized (NUMBERS) {
      Integer number = NUMBERS.get(from);
      if (number != null) {
        return number;
      }
      if (NAMES.size() == MOST) {
        return MOST;
      }
      NAMES.add(Program.name(from));
      NUMBERS.put(from, NAMES.size() - 1);
      return NAMES.size() - 1;
    }
  }

  /** What the code source with a number is called; empty: it has no name. */
  static String name(int source) {
    synchronized (NUMBERS) {
      return source < NAMES.size() ? NAMES.get(source) : "";
    }
  }
}
