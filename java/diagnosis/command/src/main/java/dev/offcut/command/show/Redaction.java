package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** What may be left out of a report. */
public enum Redaction {
  args,
  paths;

  /** Folders in a sentence, where a blank ends a name. */
  private static final Pattern IN_SENTENCES = folders("\\s");

  /** Folders in one argument, whose names may have blanks. */
  private static final Pattern IN_ARGUMENTS = folders("");

  public static Digest apply(Digest digest, Set<Redaction> what) {
    Digest.Target target = digest.target();
    List<String> command =
        what.contains(args) ? target.command().stream().limit(1).toList() : target.command();
    boolean hides = what.contains(paths);
    UnaryOperator<String> names = text -> hides ? IN_ARGUMENTS.matcher(text).replaceAll("") : text;
    UnaryOperator<String> sentences =
        text -> hides ? IN_SENTENCES.matcher(text).replaceAll("") : text;
    Digest named = hides ? withoutFolders(digest, sentences) : digest;
    return named.with(
        new Digest.Target(
            target.pid(),
            names.apply(target.main()),
            command.stream().map(names).toList(),
            target.jdk(),
            target.started(),
            target.seconds(),
            target.level(),
            target.sampleEvery()),
        digest.notes().stream().map(sentences).toList(),
        digest.limits().stream().map(sentences).toList());
  }

  /** A part of resident memory may be a file, and findings may name it: as a whole, with blanks. */
  private static Digest withoutFolders(Digest digest, UnaryOperator<String> sentences) {
    List<String> files =
        digest.memory().parts().stream()
            .map(part -> part.part().substring(part.part().indexOf(": ") + 1).strip())
            .filter(name -> fileName(name).length() < name.length())
            .toList();
    UnaryOperator<String> known =
        text -> {
          String redacted = text;
          for (String file : files) {
            redacted = redacted.replace(file, fileName(file));
          }
          return redacted;
        };
    return digest.with(known, text -> sentences.apply(known.apply(text)));
  }

  private static String fileName(String path) {
    return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  }

  /**
   * As Unix and Windows write them, before the name of a file; the first need not have a slash
   * before it. A module's main class, {@code module/class}, has a slash too: nobody misses the
   * module.
   *
   * @param blank what else ends a name
   */
  private static Pattern folders(String blank) {
    String begins = "(?<![^\\s:;,=(\"'])"; // only here, or long words would take long
    String first = "(?:[^/\\\\:;,=(\"'" + blank + "][^/\\\\:;,=" + blank + "]*)?";
    String others = "(?:[/\\\\]+[^/\\\\:;," + blank + "]+)*";
    return Pattern.compile(begins + "(?:[A-Za-z]:)?" + first + others + "[/\\\\]+(?=[^/\\\\\\s])");
  }
}
