package dev.offcut.command.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that runs when no other is given: SQLite on handles. */
final class BundledProgram {
  /** The launcher says where it lies. */
  private static final String PROPERTY = "offcut.bundled.jar";

  private static final String MAIN = "dev.offcut.examples.sqlite.Main";

  private BundledProgram() {}

  static List<String> command(List<String> options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(PROPERTY, "offcut-example-sqlite.jar"),
                MAIN));
    command.addAll(options);
    return command;
  }
}
