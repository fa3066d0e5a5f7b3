package dev.offcut.command.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
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

  /** By package, which ends in a dot. */
  private static final Map<String, String> BY_PACKAGE = read();

  /** The library of a native frame; other frames have their source file there. */
  private static final Pattern LIBRARY =
      Pattern.compile("\\((\\?|.*\\.(so([^a-z].*)?|dylib|tmp|[0-9]+))\\)");

  private KnownLibraries() {}

  private static Map<String, String> read() {
    Map<String, String> byPackage = new LinkedHashMap<>();
    try (InputStream bytes = KnownLibraries.class.getResourceAsStream(FILE);
        JsonParser json = new JsonFactory().createParser(bytes)) {
      json.nextToken();
      if (Json.read(json) instanceof Map<?, ?> all
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

  /**
   * Which of the frames, innermost first, a person would mend: the first that is the program's own.
   * If there is none, the innermost.
   */
  public static int own(List<String> frames) {
    for (int i = 0; i < frames.size(); i++) {
      if (of(frames.get(i)) == null) {
        return i;
      }
    }
    return 0;
  }
}
