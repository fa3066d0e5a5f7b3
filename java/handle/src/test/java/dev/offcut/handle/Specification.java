package dev.offcut.handle;

import java.nio.file.Files;
import java.nio.file.Path;

/** The files of {@code spec/} at the root of the repository. */
final class Specification {
  private Specification() {}

  static Path file(String name) {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("spec").resolve(name))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new AssertionError("spec/" + name + " is not above " + Path.of("").toAbsolutePath());
    }
    return folder.resolve("spec").resolve(name);
  }
}
