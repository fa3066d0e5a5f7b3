package dev.offcut.replay;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The files that languages agree on. */
public final class Traces {
  private Traces() {}

  /** A file in the folder {@code spec}. */
  public static Path spec(String name) {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("spec"))) {
      folder = Objects.requireNonNull(folder.getParent());
    }
    return folder.resolve("spec").resolve(name);
  }
}
