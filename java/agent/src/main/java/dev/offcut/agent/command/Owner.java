package dev.offcut.agent.command;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks at a process before it is attached to. That is more than politeness: attaching sends a
 * signal, at which a program that is no JVM may end.
 */
final class Owner {
  /** Who may attach to anybody's JVM. */
  private static final String ROOT = "root";

  private Owner() {}

  /** Fails unless there is such a process, it is this user's, and it is a JVM. */
  static void check(long pid) throws Failure {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow(() -> Target.gone(pid));
    Optional<String> owner = process.info().user();
    String self = ProcessHandle.current().info().user().orElse("");
    if (owner.isPresent() && !owner.get().equals(self) && !self.equals(ROOT)) {
      throw Failure.unreachable(
          "the process " + pid + " belongs to " + owner.get() + "; run this as that user");
    }
    if (!isListed(pid) && !hasLibrary(pid)) {
      throw process.isAlive()
          ? Failure.unreachable("the process " + pid + " is no JVM; `list` shows those that are")
          : Target.gone(pid);
    }
  }

  private static boolean isListed(long pid) {
    return VirtualMachine.list().stream().anyMatch(jvm -> jvm.id().equals(String.valueOf(pid)));
  }

  /** A JVM may be missing in the list: when it publishes no figures, or with attaching disabled. */
  private static boolean hasLibrary(long pid) {
    Path maps = Path.of("/proc", String.valueOf(pid), "maps");
    // File names are bytes of any kind.
    try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.contains("/libjvm."));
    } catch (IOException | UncheckedIOException e) {
      return false; // it ended, or its user is another one
    }
  }
}
