package dev.offcut.command.read;

import dev.offcut.rules.CallSiteRule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose code a frame is: the JDK's, that of a library in {@code spec/libraries.json}, or the
 * program's own.
 */
public final class KnownLibraries {
  private static final String FILE = "libraries.json";

  /** What the file calls these two. */
  private static final String JDK = "the JDK";

  private static final String OFFCUT = "Offcut";

  /** The code source of all whose code source is not known. */
  private static final int SOMEBODY = CallSiteRule.NOBODY + 1;

  /** By package, which ends in a dot. */
  private static final Map<String, String> BY_PACKAGE = read();

  /** The library of a native frame; other frames have their source file there. */
  private static final Pattern LIBRARY =
      Pattern.compile("\\((\\?|.*\\.(so([^a-z].*)?|dylib|tmp|[0-9]+))\\)");

  private KnownLibraries() {}

  private static Map<String, String> read() {
    Map<String, String> byPackage = new LinkedHashMap<>();
    try (InputStream bytes = KnownLibraries.class.getResourceAsStream(FILE)) {
      if (Json.read(Objects.requireNonNull(bytes).readAllBytes()) instanceof Map<?, ?> all
          && all.get("libraries") instanceof Map<?, ?> libraries) {
        libraries.forEach(
            (library, packages) ->
                ((List<?>) Objects.requireNonNull(packages))
                    .forEach(one -> byPackage.put((String) one, (String) library)));
      }
      return byPackage;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is in the same jar
    }
  }

  /** The library that a frame is of; null if it is the program's own. */
  public static @Nullable String of(String frame) {
    if (isNative(frame)) {
      return frame.substring(frame.lastIndexOf('(') + 1, frame.length() - 1);
    }
    for (Map.Entry<String, String> known : BY_PACKAGE.entrySet()) {
      if (frame.startsWith(known.getKey())) {
        return known.getValue();
      }
    }
    return null;
  }

  /**
   * Whether a frame is of native code, as {@code function(library.so)}. A jar may unpack its
   * library to a file without that ending: {@code jna4711.tmp}, or {@code
   * libleveldbjni-64-1-4711.8}. Frames of Java and Go have a dot before the method, and the name of
   * a source file.
   */
  static boolean isNative(String frame) {
    int library = frame.lastIndexOf('(');
    if (library < 0 || !frame.endsWith(")")) {
      return false;
    }
    int dot = frame.indexOf('.');
    return dot < 0 || dot > library || LIBRARY.matcher(frame.substring(library)).matches();
  }

  /** The line of a stack of which only the names are known, and nothing of the program. */
  public static int own(List<String> frames) {
    return own(frames, dev.offcut.rules.Program.UNKNOWN);
  }

  /**
   * The line of a stack, innermost frame first, of which only the names are known: the index that
   * {@link CallSiteRule} chooses; 0 if it chooses none.
   */
  public static int own(List<String> frames, dev.offcut.rules.Program program) {
    CallSiteRule rule = new CallSiteRule(CallSiteRule.NOBODY);
    for (String frame : frames) {
      String library = of(frame);
      int traits = program.traits(type(frame), "");
      traits |= library == null ? 0 : CallSiteRule.LIBRARY;
      traits |= isNative(frame) ? CallSiteRule.NATIVE : 0;
      if (rule.add(isNobodys(library) ? CallSiteRule.NOBODY : SOMEBODY, traits)) {
        break;
      }
    }
    return Math.max(0, rule.line());
  }

  private static boolean isNobodys(@Nullable String library) {
    return library != null && (library.equals(JDK) || library.equals(OFFCUT));
  }

  private static String type(String frame) {
    int end = frame.indexOf('(');
    int dot = frame.lastIndexOf('.', end < 0 ? frame.length() : end);
    return dot < 0 ? frame : frame.substring(0, dot);
  }
}
