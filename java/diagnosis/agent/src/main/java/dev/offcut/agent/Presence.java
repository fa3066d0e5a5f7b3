package dev.offcut.agent;

import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the agent leaves in the system properties of its program. The command reads them from
 * another process, which runs no code in this one and works between different versions.
 *
 * <p>Any thread may call this, also while it loads a class.
 */
public final class Presence {
  /** Of the retrofit's jar, which has a copy of this class, {@code offcut.retrofit.}. */
  private static final String PREFIX =
      Presence.class.getPackageName().substring("dev.".length()) + ".";

  /** The property with the version of the agent that started. */
  private static final String VERSION = PREFIX + "version";

  /** The property with the lines that the agent said, the same line once. */
  public static final String SAID = PREFIX + "said";

  /** Before the name of an answer to a {@link Request}: the property that has it. */
  public static final String ANSWER = PREFIX + "answer.";

  /** The property with the folder where a recording's chunks are, once there is one. */
  public static final String REPOSITORY = PREFIX + "repository";

  /** The property with the file of the agent's tables, once there is one. */
  private static final String TABLES = PREFIX + "tables";

  /** Characters: what is said more than this is not kept. */
  private static final int MOST = 20_000;

  private static final String MORE = "the agent said more, which is not kept";

  private Presence() {}

  /** The version of this jar. */
  public static String version() {
    String version = Presence.class.getPackage().getImplementationVersion();
    return version == null ? "unpacked" : version;
  }

  /**
   * This process's number. The JDK's own way starts threads for processes that end, which costs a
   * program 10 ms of CPU.
   */
  public static long pid() {
    try {
      String name = new File("/proc/self").getCanonicalFile().getName();
      if (!name.equals("self")) {
        return Long.parseLong(name);
      }
    } catch (IOException | RuntimeException e) {
      // another system, or a security manager
    }
    return ProcessHandle.current().pid();
  }

  /** The agent has started. */
  public static void arrive() {
    set(VERSION, version());
  }

  /** A recording writes its chunks into a folder. */
  public static void recordsInto(@Nullable String folder) {
    if (folder != null) {
      set(REPOSITORY, folder);
    }
  }

  /** The tables are in a file. */
  public static void publishesInto(String file) {
    set(TABLES, file);
  }

  /** Keeps a line. */
  static synchronized void keep(String line) {
    String said = get(SAID);
    if (said == null) {
      set(SAID, line);
    } else if (!said.endsWith(MORE) && !contains(said, line)) {
      set(SAID, said + '\n' + (said.length() < MOST ? line : MORE));
    }
  }

  private static boolean contains(String lines, String line) {
    return ('\n' + lines + '\n').contains('\n' + line + '\n');
  }

  private static @Nullable String get(String property) {
    try {
      return System.getProperty(property);
    } catch (SecurityException e) {
      return null; // a JVM 17 or 21 with a security manager: then the agent cannot be found
    }
  }

  private static void set(String property, String value) {
    try {
      System.setProperty(property, value);
    } catch (SecurityException e) {
      // As above. What was said is on stderr.
    }
  }
}
