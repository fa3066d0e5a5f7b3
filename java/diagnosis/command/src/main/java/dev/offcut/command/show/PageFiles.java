package dev.offcut.command.show;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the folder {@code web}, and the templates, as they are packed into this jar. */
public final class PageFiles {
  private static final String FOLDER = "/dev/offcut/command/page/";

  /** No way out of the folder, and no hidden files. */
  private static final Pattern NAME =
      Pattern.compile("([a-zA-Z0-9_-]+/)*[a-zA-Z0-9_-]+(\\.[a-zA-Z0-9]+)+");

  private PageFiles() {}

  /** One of them; null if there is none of that name. */
  public static byte @Nullable [] bytes(String name) throws IOException {
    if (!NAME.matcher(name).matches()) {
      return null;
    }
    try (InputStream in = PageFiles.class.getResourceAsStream(FOLDER + name)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  /** One that has to be there. */
  static String text(String name) {
    try {
      byte[] bytes = bytes(name);
      if (bytes == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name + " cannot be read from the jar", e);
    }
  }
}
