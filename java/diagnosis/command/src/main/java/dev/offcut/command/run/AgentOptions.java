package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What the agent and the retrofit are told, and where their jars are. */
final class AgentOptions {
  /** What the agent records: the less, the cheaper. */
  enum Level {
    off,
    count,
    sample,
    full
  }

  enum Switch {
    on,
    off
  }

  /** What the retrofit rewrites for speed, as its switches are called. */
  enum Rewritten {
    streams,
    jna
  }

  @Option(
      names = "--rewrite",
      split = ",",
      paramLabel = "streams,jna",
      description =
          "Also speed the program up. streams: object streams walk the stack less often. jna:"
              + " JNA's Memory allocates less. Without this option, classes are changed only to"
              + " count.")
  private List<Rewritten> what = List.of();

  @Option(
      names = "--watch",
      paramLabel = "CLASS[#METHOD]",
      converter = ClassName.class,
      description =
          "Count the objects of this class or interface and of its subclasses: opened, closed,"
              + " forgotten. METHOD is the method that closes an object (default: close). May be"
              + " given several times.")
  private List<String> watched = List.of();

  @Option(
      names = "--watch-package",
      paramLabel = "PACKAGE",
      converter = PackageName.class,
      description = "The same for each AutoCloseable in this package and in its subpackages.")
  private List<String> watchedPackages = List.of();

  @Option(
      names = "--rules",
      paramLabel = "on|off|FILE",
      converter = RulesFile.class,
      description =
          "The rules by which objects of libraries are counted. Default: the built-in rules that"
              + " cost little, and those that jars bring. on: all built-in rules, which `offcut"
              + " rules` lists, and those that jars bring. off: none. FILE: also the rules in the"
              + " file.")
  private @Nullable String rules;

  /** The retrofit's options; null: it is not wanted. */
  @Nullable String retrofit() {
    return what.isEmpty()
        ? null
        : Stream.of(Rewritten.values())
            .map(one -> one + (what.contains(one) ? "=on" : "=off"))
            .collect(Collectors.joining(","));
  }

  List<String> options(Level level) {
    List<String> options = new ArrayList<>(List.of("level=" + level));
    if (!watched.isEmpty()) {
      options.add("watch=" + String.join("+", watched));
    }
    if (!watchedPackages.isEmpty()) {
      options.add("watch.package=" + String.join("+", watchedPackages));
    }
    if (rules != null) {
      boolean isWord = rules.equals("on") || rules.equals("off");
      options.add("rules=" + (isWord ? rules : Path.of(rules).toAbsolutePath()));
    }
    return options;
  }

  private static boolean isName(String text) {
    return Stream.of(text.split("\\.", -1)).allMatch(AgentOptions::isIdentifier);
  }

  private static boolean isIdentifier(String word) {
    return !word.isEmpty()
        && Character.isJavaIdentifierStart(word.charAt(0))
        && word.chars().allMatch(Character::isJavaIdentifierPart);
  }

  /** Refuses what the agent would not understand: in a report nobody may see that it is missing. */
  static final class ClassName implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      String[] words = text.split("#", -1);
      if (!isName(words[0]) || !Stream.of(words).skip(1).allMatch(AgentOptions::isIdentifier)) {
        throw new TypeConversionException("'" + text + "' is no CLASS or CLASS#METHOD");
      }
      if (words[0].equals("java.lang.Object")) {
        throw new TypeConversionException(
            "every class is a java.lang.Object; name the class whose objects are to be closed");
      }
      return text;
    }
  }

  static final class PackageName implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!isName(text)) {
        throw new TypeConversionException("'" + text + "' is no package");
      }
      return text;
    }
  }

  /** The same for a file of rules. What is in it is for `offcut rules FILE` to judge. */
  static final class RulesFile implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!text.equals("on") && !text.equals("off") && !Files.isReadable(Path.of(text))) {
        throw new TypeConversionException("'" + text + "' is neither on, off nor a file");
      }
      return text;
    }
  }

  static Path jar() throws Failure {
    return jar("agent");
  }

  static Path retrofitJar() throws Failure {
    return jar("retrofit");
  }

  /** The launcher says where it lies. */
  private static Path jar(String what) throws Failure {
    String property = "offcut." + what + ".jar";
    Path jar = Path.of(System.getProperty(property, "offcut-" + what + ".jar")).toAbsolutePath();
    if (!Files.isReadable(jar)) {
      throw Failure.other(
          "the %s is not at %s; start the command as ./offcut, or name the jar with -D%s"
              .formatted(what, jar, property));
    }
    return jar;
  }
}
