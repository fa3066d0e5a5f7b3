package dev.offcut.leaks;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** A program with animations that asks for the size of its terminal for each frame. */
public final class JLineSizes {
  private static final int FRAMES = 100_000;

  private JLineSizes() {}

  public static void main(String[] args) throws Exception {
    try (Terminal terminal =
        TerminalBuilder.builder()
            .system(false)
            .streams(new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream())
            .type("ansi")
            .provider("ffm")
            .build()) {
      Observer.begin();
      int columns = 0;
      for (int i = 0; i < FRAMES; i++) {
        columns += terminal.getSize().getColumns(); // the leak
      }
      Observer.end();
      System.out.println("columns " + columns);
    }
  }
}
