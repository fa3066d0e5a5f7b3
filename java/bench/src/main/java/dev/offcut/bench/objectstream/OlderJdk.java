package dev.offcut.bench.objectstream;

import dev.offcut.bench.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The JDK 17 that is measured too, where there is one.
 *
 * @param jdk null where there is none
 * @param why what to say then
 */
record OlderJdk(@Nullable Jdk jdk, String why) {
  /** Where it is; the launcher looks for it. */
  static final String PROPERTY = "offcut.jdk17.home";

  private static final OlderJdk NONE =
      new OlderJdk(null, "JDK 17: none found; OFFCUT_JAVA17_HOME says where it is");

  static OlderJdk find() {
    return in(System.getProperty(PROPERTY, ""));
  }

  /** The one in a directory; there is none where that is empty. */
  static OlderJdk in(String home) {
    if (home.isEmpty()) {
      return NONE;
    }
    try {
      return new OlderJdk(Jdk.at(Path.of(home)), "");
    } catch (IOException e) {
      return new OlderJdk(null, "JDK 17: -D" + PROPERTY + " is no JDK's directory: " + e);
    }
  }
}
