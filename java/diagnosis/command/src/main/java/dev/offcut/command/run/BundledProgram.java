package dev.offcut.command.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that runs when no other is given: SQLite on handles. */
final class BundledProgram {
  private BundledProgram() {}

  static List<String> command(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp"); // the launcher says where it lies
    command.add(System.getProperty("offcut.bundled.jar", "offcut-example-sqlite.jar"));
    command.add("dev.offcut.examples.sqlite.Main");
    command.addAll(options);
    return command;
  }
}
