package dev.offcut.agent.publish;

import dev.offcut.agent.Presence;
import dev.offcut.agent.base.concurrent.NativeLoader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The malloc sampler in this process: a native library that samples what is taken from malloc, and
 * keeps what it knows in a file beside the tables. The command reads the file; nothing in this
 * process does.
 *
 * <p>The library is in the agent's jar. It is loaded from a copy in a folder of the user's own,
 * whose name has a checksum of the content: what is loaded must never change in place.
 */
public final class NativeMemory {
  /** Behind the PID. */
  static final String ENDING = ".native";

  private static final String MUSL = "/lib/ld-musl-";

  private static boolean isLoaded;
  private static boolean samples;

  /** Where the file is that goes with the program; null: there is none, or somebody else's. */
  private static @Nullable Path own;

  private NativeMemory() {}

  /**
   * Samples from now on, if it does not. Returns why it cannot, or null.
   *
   * @param folder where the file goes; null: where the tables go if nobody says
   */
  public static synchronized @Nullable String start(@Nullable String folder) {
    String platform = platform();
    if (platform == null) {
      return "it is there for Linux on x64 and arm64 alone";
    }
    if (samples) {
      return null;
    }
    try {
      Path file =
          folder == null
              ? TableFolder.inFirst(users -> users.resolve(name()))
              : Path.of(folder).resolve(name());
      Files.deleteIfExists(file); // of a process that had this PID before, or of this one
      if (!isLoaded) {
        load(platform);
        isLoaded = true;
      }
      if (!attach0(file.toString())) {
        return "the JVM cannot be asked for stacks, or " + file + " cannot be written";
      }
      samples = true;
      own = folder == null ? file : null;
      return null;
    } catch (IOException | RuntimeException | LinkageError e) {
      return e.toString();
    }
  }

  /** Samples no more: each call goes to malloc as before. What was seen stays in the file. */
  public static synchronized void stop() {
    if (samples) {
      samples = false;
      detach0();
    }
  }

  /** About how many bytes of malloc native libraries took for Java, and hold; 0: not known. */
  static synchronized long held() {
    return samples ? held0() : 0;
  }

  // The library registers these while it is loaded.

  private static native long held0();

  private static native boolean attach0(String file);

  private static native void detach0();

  private static String name() {
    return Presence.pid() + ENDING;
  }

  /** At the program's end: nobody reads it who did not ask for it. */
  static synchronized void end() {
    try {
      if (own != null) {
        Files.deleteIfExists(own);
      }
    } catch (IOException e) {
      // It lies there until it is stale.
    }
  }

  /** Null: there is no library for this system. */
  private static @Nullable String platform() {
    String architecture =
        switch (System.getProperty("os.arch", "")) {
          case "amd64" -> "x64";
          case "aarch64" -> "arm64";
          default -> "";
        };
    return System.getProperty("os.name", "").equals("Linux") && !architecture.isEmpty()
        ? architecture
        : null;
  }

  /** A system may have both C libraries: the JVM has been linked with one of them. */
  private static void load(String platform) throws IOException {
    String machine = platform.equals("x64") ? "x86_64" : "aarch64";
    boolean isMusl = Files.exists(Path.of(MUSL + machine + ".so.1"));
    try {
      loadCopy(isMusl ? "linux-musl-" + platform : "linux-" + platform);
    } catch (IOException e) {
      if (!isMusl) {
        throw e;
      }
      loadCopy("linux-" + platform);
    }
  }

  /** From the first of the user's folders out of which the system lets code run. */
  private static void loadCopy(String name) throws IOException {
    byte[] library = library(name);
    CRC32 sum = new CRC32();
    sum.update(library);
    String file = name + "-" + Long.toHexString(sum.getValue()) + ".so";
    TableFolder.inFirst(
        folder -> {
          Path copy = folder.resolve(file);
          if (!Files.exists(copy) || Files.size(copy) != library.length) {
            Path part = folder.resolve(Presence.pid() + ".part");
            Files.write(part, library);
            Files.move(part, copy, StandardCopyOption.ATOMIC_MOVE);
          }
          try {
            if (!NativeLoader.load(NativeMemory.class, copy.toFile())) {
              throw new FileNotFoundException(copy.toString());
            }
          } catch (UnsatisfiedLinkError e) {
            throw new IOException(e.getMessage(), e);
          }
          return copy;
        });
  }

  private static byte[] library(String name) throws IOException {
    ClassLoader loader = Objects.requireNonNull(NativeMemory.class.getClassLoader());
    try (InputStream in = loader.getResourceAsStream("native/" + name + ".so")) {
      if (in == null) {
        throw new FileNotFoundException("native/" + name + ".so in the agent's jar");
      }
      return in.readAllBytes();
    }
  }
}
