package dev.offcut.cli.report;

import dev.offcut.cli.digest.Digest;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** What may be left out of a report. */
public enum Redaction {
  /** What the program was given. */
  args,
  /** Nothing: no report has anything of the environment. It can be asked for all the same. */
  env,
  /** The folders that files lie in. */
  paths;

  /** Folders, as Unix and Windows write them, before the name of a file. */
  private static final Pattern FOLDERS =
      Pattern.compile("(?:[A-Za-z]:)?(?:[/\\\\][^/\\\\\\s:;,]+)*[/\\\\](?=[^/\\\\\\s])");

  /** The same without that. */
  public static Digest apply(Digest digest, Set<Redaction> what) {
    Digest.Target target = digest.target();
    List<String> command =
        what.contains(args) ? target.command().stream().limit(1).toList() : target.command();
    UnaryOperator<String> names = what.contains(paths) ? Redaction::withoutFolders : text -> text;
    return digest.with(
        new Digest.Target(
            target.pid(),
            names.apply(target.main()),
            command.stream().map(names).toList(),
            target.jdk(),
            target.started(),
            target.seconds(),
            target.level(),
            target.sampleEvery()),
        digest.notes().stream().map(names).toList());
  }

  /** A module's main class, {@code module/class}, has a slash too: nobody misses the module. */
  private static String withoutFolders(String text) {
    return FOLDERS.matcher(text).replaceAll("");
  }
}
