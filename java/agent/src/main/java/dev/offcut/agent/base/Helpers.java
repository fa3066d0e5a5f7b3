package dev.offcut.agent.base;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The class files of some helpers, and of the classes nested in them, under their new names. */
final class Helpers {
  /** What is replaced, with what: the names of the outermost classes among it. */
  private final Map<String, String> replaced = new LinkedHashMap<>();

  private final Map<String, HelperFile> files = new LinkedHashMap<>();
  private final Map<String, byte[]> ordered = new LinkedHashMap<>();

  private Helpers() {}

  /**
   * The class files by their new binary names, each after those it extends. Other texts may be
   * replaced, too: internal names of stand-ins, which are classes to compile against, by those of
   * the classes they stand for, and settings by their values.
   *
   * @param helpers the internal names, each with a class beside which its file lies
   */
  static Map<String, byte[]> read(
      Class<?> neighbour, Map<String, String> texts, Map<String, Class<?>> helpers)
      throws IOException {
    Helpers all = new Helpers();
    all.replaced.putAll(texts);
    for (String helper : helpers.keySet()) {
      all.replaced.put(helper, newName(neighbour, helper));
    }
    for (Map.Entry<String, Class<?>> helper : helpers.entrySet()) {
      all.gather(helper.getValue(), helper.getKey());
    }
    for (String name : all.files.keySet()) {
      all.order(name);
    }
    return all.ordered;
  }

  /** The new internal name of an outermost class, in the package of its neighbour. */
  static String newName(Class<?> neighbour, String helper) {
    String simple = helper.substring(helper.lastIndexOf('/') + 1);
    return neighbour.getPackageName().replace('.', '/') + "/Offcut" + simple;
  }

  static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  /** The class file of a class with this internal name, which lies where its neighbour does. */
  static byte[] file(Class<?> neighbour, String name) throws IOException {
    ClassLoader loader = Objects.requireNonNull(neighbour.getClassLoader());
    try (InputStream file = loader.getResourceAsStream(name + ".class")) {
      if (file == null) {
        throw new FileNotFoundException(name);
      }
      return file.readAllBytes();
    }
  }

  private void gather(Class<?> helper, String name) throws IOException {
    if (files.containsKey(name)) {
      return;
    }
    HelperFile file = HelperFile.read(file(helper, name), replaced);
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
