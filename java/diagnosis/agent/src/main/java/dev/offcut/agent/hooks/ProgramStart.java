package dev.offcut.agent.hooks;

import dev.offcut.agent.base.concurrent.Sites;
import dev.offcut.rules.Program;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Finds the program's main class and where it is from, and tells the helpers, which know by these
 * whose a line is.
 *
 * <p>If the program is a jar, its manifest names the class. The manifest is read when the first
 * class of the program is loaded: then the JVM has the jar open, and reads no more of it.
 */
final class ProgramStart {
  /** What the launcher was given: a class, {@code MODULE/CLASS} or a jar; and the arguments. */
  private static final String COMMAND = "sun.java.command";

  private static final String PATH = "java.class.path";

  /** What the manifest of a jar names that a launcher starts. */
  private static final Attributes.Name STARTED = new Attributes.Name("Start-Class");

  private static final @Nullable ClassLoader LOADER = ClassLoader.getSystemClassLoader();

  /** Whether nothing more can be found. A race tells the same twice. */
  private volatile boolean isFound;

  /** The internal name of the main class, once it is known. */
  private volatile @Nullable String main;

  /** Tells what is known before any class of the program is loaded. */
  void begin() {
    if (jar() == null) {
      String name = ofCommand();
      main = name == null ? null : name.replace('.', '/');
      isFound = name == null;
      Sites.program(name, null, true);
    }
  }

  /** A class is loaded, on its thread. */
  void loaded(@Nullable ClassLoader loader, String name, @Nullable ProtectionDomain domain) {
    if (isFound || loader != LOADER) {
      return;
    }
    try {
      String its = main;
      if (its == null) {
        its = mainClass();
        if (its == null) {
          isFound = true;
          return;
        }
        its = its.replace('.', '/');
        main = its;
      }
      if (name.equals(its)) {
        isFound = true;
        tell(its.replace('/', '.'), domain);
      }
    } catch (IOException | RuntimeException e) {
      isFound = true; // then lines are chosen without it
    }
  }

  /** Whether a class is the one with the main method, once that is known. */
  boolean isMain(@Nullable ClassLoader loader, String name) {
    return loader == LOADER && name.equals(main);
  }

  /** All classes that were loaded before the agent. */
  void loaded(Class<?>[] classes) {
    try {
      String name = mainClass();
      for (Class<?> type : classes) {
        if (name != null && type.getClassLoader() == LOADER && type.getName().equals(name)) {
          isFound = true;
          tell(name, type.getProtectionDomain());
        }
      }
    } catch (IOException | RuntimeException e) {
      isFound = true;
    }
  }

  private static void tell(String name, @Nullable ProtectionDomain domain) throws IOException {
    CodeSource code = domain == null ? null : domain.getCodeSource();
    URL location = code == null ? null : code.getLocation();
    String jar = jar();
    String started = jar != null && Program.isLauncher(name) ? attribute(jar, STARTED) : null;
    if (started == null) {
      Sites.program(name, location, isPacked(jar));
    } else {
      Sites.program(started, null, true); // it is within the jar, in a folder of classes
    }
  }

  /** Whether the program has no module, and no other jar on its class path. */
  private static boolean isPacked(@Nullable String jar) throws IOException {
    if (jar != null) {
      return attribute(jar, Attributes.Name.CLASS_PATH) == null;
    }
    int jars = 0;
    for (String entry : System.getProperty(PATH, "").split(File.pathSeparator, -1)) {
      jars += entry.endsWith(".jar") ? 1 : 0;
    }
    return jars == 1 && System.getProperty("jdk.module.main") == null;
  }

  /** Null: there is no launcher, or a program that it knows is none of ours to find. */
  static @Nullable String mainClass() throws IOException {
    String jar = jar();
    return jar == null ? ofCommand() : attribute(jar, Attributes.Name.MAIN_CLASS);
  }

  /** The jar that is run; null: none is. */
  private static @Nullable String jar() {
    String command = System.getProperty(COMMAND, "");
    String path = System.getProperty(PATH, "");
    // A jar's path may have blanks; it is the class path, too.
    return path.endsWith(".jar") && (command.equals(path) || command.startsWith(path + " "))
        ? path
        : null;
  }

  private static @Nullable String ofCommand() {
    String command = System.getProperty(COMMAND, "");
    int blank = command.indexOf(' ');
    String first = blank < 0 ? command : command.substring(0, blank);
    String name = first.substring(first.indexOf('/') + 1).replace('/', '.');
    return name.isEmpty() || name.endsWith(".jar") ? null : name;
  }

  private static @Nullable String attribute(String path, Attributes.Name name) throws IOException {
    try (JarFile jar = new JarFile(path)) {
      Manifest manifest = jar.getManifest();
      String value = manifest == null ? null : manifest.getMainAttributes().getValue(name);
      return value == null ? null : value.trim().replace('/', '.');
    }
  }
}
