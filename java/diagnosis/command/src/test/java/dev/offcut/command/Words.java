package dev.offcut.command;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The command as it is called, and what it says to that. */
final class Words {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Forgets what was said before; returns the exit code. */
  int run(String... args) {
    out.reset();
    err.reset();
    return Main.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        args);
  }

  String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String said() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
