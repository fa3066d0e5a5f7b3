package dev.offcut.replay.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that loads one class in each of many loaders, drops them, and ends with a status.
 * Before that it waits until there is the file that its argument names, if that begins with no @.
 */
final class Unloading {
  static final int LOADERS = 40;
  static final int STATUS = 7;

  /** What each loader loads. */
  static final class Loaded {}

  private static final class Loader extends ClassLoader {
    Class<?> load(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }
  }

  private Unloading() {}

  public static void main(String[] args) throws IOException {
    System.out.println("arguments " + String.join(" ", args));
    while (!args[0].startsWith("@") && !Files.exists(Path.of(args[0]))) {
      Thread.onSpinWait();
    }
    byte[] file;
    try (InputStream in = Unloading.class.getResourceAsStream("Unloading$Loaded.class")) {
      file = java.util.Objects.requireNonNull(in).readAllBytes();
    }
    List<Class<?>> loaded = new ArrayList<>();
    for (int i = 0; i < LOADERS; i++) {
      loaded.add(new Loader().load(file));
    }
    System.out.println(loaded.size() + " classes");
    loaded.clear();
    System.gc();
    System.gc();
    System.exit(STATUS);
  }
}
