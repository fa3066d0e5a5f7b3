package dev.offcut.command.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The program that runs when no other is given: SQLite on handles. Its options stand among those of
 * the word itself; those that the word knows are its own.
 */
public final class BundledProgram {
  /** The launcher says where it lies. */
  private static final String PROPERTY = "offcut.bundled.jar";

  private static final String MAIN = "dev.offcut.examples.sqlite.Main";

  private BundledProgram() {}

  /** Sorts arguments without a {@code --}: the word's first, the program's behind one. */
  public static List<String> sorted(CommandSpec word, List<String> given) {
    List<String> own = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String argument = given.get(i);
      OptionSpec option = option(word, argument);
      if (option == null) {
        others.add(argument);
        continue;
      }
      own.add(argument);
      if (option.arity().min() > 0 && !argument.contains("=") && i + 1 < given.size()) {
        own.add(given.get(++i));
      }
    }
    own.add("--bundled");
    own.add("--");
    own.addAll(others);
    return own;
  }

  private static @Nullable OptionSpec option(CommandSpec word, String argument) {
    int equals = argument.indexOf('=');
    return word.findOption(equals < 0 ? argument : argument.substring(0, equals));
  }

  /** The command that starts it. */
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
