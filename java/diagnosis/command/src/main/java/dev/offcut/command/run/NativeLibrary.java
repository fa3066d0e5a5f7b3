package dev.offcut.command.run;

import dev.offcut.command.read.ElfSymbols;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The sampler of malloc for a program that is no JVM: it is in the agent's jar. */
final class NativeLibrary {
  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  private NativeLibrary() {}

  /**
   * Unpacks it for a program.
   *
   * @return null if there is none for this system, or the program has no C library
   */
  static @Nullable Path unpacked(Path agent, Path program, Path folder) throws IOException {
    String interpreter = ElfSymbols.interpreter(program);
    String architecture =
        switch (System.getProperty("os.arch", "")) {
          case "amd64" -> "x64";
          case "aarch64" -> "arm64";
          default -> "";
        };
    if (interpreter.isEmpty() || architecture.isEmpty() || !runsCode(folder)) {
      return null;
    }
    String name =
        "native/linux-" + (interpreter.contains("musl") ? "musl-" : "") + architecture + ".so";
    try (ZipFile jar = new ZipFile(agent.toFile())) {
      ZipEntry entry = jar.getEntry(name);
      if (entry == null) {
        return null;
      }
      Path file = folder.resolve("native.so");
      try (InputStream in = jar.getInputStream(entry)) {
        Files.copy(in, file);
      }
      return file;
    }
  }

  /** Whether code may be loaded from a folder: else the program's loader would print a warning. */
  private static boolean runsCode(Path folder) throws IOException {
    try (Stream<String> mounts = Files.lines(MOUNTS, StandardCharsets.ISO_8859_1)) {
      return mounts
          .map(line -> line.split(" ", -1))
          .filter(words -> folder.startsWith(words[1]))
          .max(Comparator.comparingInt(words -> words[1].length()))
          .map(words -> !("," + words[3] + ",").contains(",noexec,"))
          .orElse(true);
    }
  }
}
