package dev.offcut.agent.base;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** The class files of some helpers, and of the classes nested in them, under their new names. */
final class Helpers {
  /** The old names of the outermost classes, with the new ones. */
  private final Map<String, String> names = new LinkedHashMap<>();

  private final Map<String, HelperFile> files = new LinkedHashMap<>();
  private final Map<String, byte[]> ordered = new LinkedHashMap<>();

  private Helpers() {}

  /**
   * The class files by their new binary names, each after those it extends. Stand-ins are classes
   * to compile against, with the internal names of those they stand for. No name may begin with
   * another one.
   */
  static Map<String, byte[]> read(
      Class<?> neighbour, Map<String, String> standIns, Class<?>... helpers) throws IOException {
    Helpers all = new Helpers();
    all.names.putAll(standIns);
    for (Class<?> helper : helpers) {
      all.names.put(internalName(helper), newName(neighbour, helper));
    }
    for (Class<?> helper : helpers) {
      all.gather(helper, internalName(helper));
    }
    for (String name : all.files.keySet()) {
      all.order(name);
    }
    return all.ordered;
  }

  /** The new internal name of an outermost class, in the package of its neighbour. */
  static String newName(Class<?> neighbour, Class<?> helper) {
    return neighbour.getPackageName().replace('.', '/') + "/Offcut" + helper.getSimpleName();
  }

  static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  /** A class file that lies beside the one of a class. */
  static InputStream open(Class<?> neighbour, String name) throws IOException {
    InputStream file = neighbour.getResourceAsStream("/" + name + ".class");
    if (file == null) {
      throw new FileNotFoundException(name + ".class");
    }
    return file;
  }

  private void gather(Class<?> helper, String name) throws IOException {
    if (files.containsKey(name)) {
      return;
    }
    HelperFile file;
    try (InputStream bytes = open(helper, name)) {
      file = HelperFile.read(bytes, names);
    }
    files.put(name, file);
    for (String mentioned : file.mentioned) {
      if (mentioned.startsWith(name + "$")) {
        gather(helper, mentioned);
      }
    }
  }

  private void order(String name) {
    HelperFile file = files.get(name);
    if (file == null || ordered.containsKey(file.newName)) {
      return;
    }
    for (String supertype : file.supertypes) {
      order(supertype);
    }
    ordered.put(file.newName, file.bytes);
  }
}
