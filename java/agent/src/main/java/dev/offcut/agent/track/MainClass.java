package dev.offcut.agent.track;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * The class whose main method the JVM's launcher calls. If it cannot be loaded, or has no such
 * method, the program never started: then counts of zero say nothing of it.
 */
final class MainClass {
  /** What the launcher was given: a class, {@code MODULE/CLASS} or a jar; and the arguments. */
  private static final String COMMAND = "sun.java.command";

  private MainClass() {}

  /** In words why the program did not start. Empty: it did, or it is not known that it did not. */
  static String failure(Tracking tracking) {
    // Before the end it may be about to start; and who attaches finds one that runs.
    if (tracking.settings().late() || !Ledger.isEnding()) {
      return "";
    }
    String name;
    try {
      name = name();
    } catch (IOException | RuntimeException e) {
      return "";
    }
    return name == null ? "" : failure(name);
  }

  private static String failure(String name) {
    Class<?> main;
    try {
      main = Class.forName(name, false, ClassLoader.getSystemClassLoader());
    } catch (ClassNotFoundException e) {
      return "there is no class " + name;
    } catch (LinkageError e) {
      return e.toString();
    } catch (RuntimeException | Error e) {
      return ""; // no memory or no stack is left at the end: that says nothing of the beginning
    }
    try {
      return hasMain(main) ? "" : "the class " + name + " has no method main";
    } catch (RuntimeException | Error e) {
      return ""; // one of its methods names a class that is missing, which the program may bear
    }
  }

  /** By name alone: which of its forms the launcher takes depends on the JDK. */
  private static boolean hasMain(Class<?> main) {
    for (Class<?> type = main; type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("main")) {
          return true;
        }
      }
    }
    for (Method method : main.getMethods()) {
      if (method.getName().equals("main")) {
        return true; // an interface's
      }
    }
    return false;
  }

  /** Null: there is no launcher, or a program that it knows is none of ours to find. */
  private static @Nullable String name() throws IOException {
    String command = System.getProperty(COMMAND, "");
    String path = System.getProperty("java.class.path", "");
    // A jar's path may have blanks; it is the class path, too.
    if (path.endsWith(".jar") && (command.equals(path) || command.startsWith(path + " "))) {
      return ofJar(path);
    }
    int blank = command.indexOf(' ');
    String first = blank < 0 ? command : command.substring(0, blank);
    String name = first.substring(first.indexOf('/') + 1).replace('/', '.');
    return name.isEmpty() || name.endsWith(".jar") ? null : name;
  }

  private static @Nullable String ofJar(String path) throws IOException {
    try (JarFile jar = new JarFile(path)) {
      Manifest manifest = jar.getManifest();
      String name =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
      return name == null ? null : name.trim().replace('/', '.');
    }
  }
}
