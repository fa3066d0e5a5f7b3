package dev.offcut.command.read;

import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The version of this command, and which versions of the agent it understands. */
public final class Versions {
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)\\..*");

  private Versions() {}

  /** That of this program, as its module or its jar says; "unknown" for class files in a folder. */
  public static String own() {
    ModuleDescriptor module = Versions.class.getModule().getDescriptor();
    String version =
        module == null
            ? Versions.class.getPackage().getImplementationVersion()
            : module.rawVersion().orElse(null);
    return version == null ? "unknown" : version;
  }

  /** Refuses what a newer agent recorded: its events may mean something else. */
  static void check(Path file, String agent) throws Failure {
    if (isNewer(agent, own())) {
      throw Failure.unreadable(
          """
          %s was recorded by version %s of the agent, this is %s; read it with an offcut of that \
          version"""
              .formatted(file, agent, own()));
    }
  }

  static boolean isNewer(String agent, String than) {
    @Nullable Matcher its = matched(agent);
    @Nullable Matcher own = matched(than);
    if (its == null || own == null) {
      return false; // no agent, or one that was never packed
    }
    int major = Integer.compare(Integer.parseInt(its.group(1)), Integer.parseInt(own.group(1)));
    int minor = Integer.compare(Integer.parseInt(its.group(2)), Integer.parseInt(own.group(2)));
    return major > 0 || (major == 0 && minor > 0);
  }

  private static @Nullable Matcher matched(String version) {
    Matcher matcher = NUMBERS.matcher(version);
    return matcher.matches() ? matcher : null;
  }
}
