package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One page as one file that needs nothing but itself. The build has made all of it but what it
 * shows, by {@link PageTemplate}; its policy allows the script and the style that are in it, and
 * nothing else. What names in the data are is only text.
 */
public final class Page {
  private Page() {}

  /** The page of a report, as UTF-8. */
  public static byte[] of(Digest digest) {
    return of(
        "report",
        digest.target().main() + " · offcut",
        ReportText.of(digest, false),
        DigestJson.of(digest));
  }

  /**
   * A page of the folder {@code web}, as UTF-8. It is put together as bytes: characters would be
   * copied three times, and it has a quarter of a million.
   *
   * @param name of its file, without {@code .html}
   * @param text for who has no scripts
   * @param json the data
   */
  public static byte[] of(String name, String title, String text, String json) {
    byte[] template = PageFiles.content(name + PageTemplate.ENDING);
    ByteArrayOutputStream page = new ByteArrayOutputStream(2 * template.length);
    int at = add(page, template, 0, PageTemplate.TITLE, escaped(title));
    at = add(page, template, at, PageTemplate.TEXT, escaped(text));
    at = add(page, template, at, PageTemplate.DATA, json.replace("<", "\\u003c"));
    page.write(template, at, template.length - at);
    return page.toByteArray();
  }

  /** Adds the template up to a mark, and what stands in its place; returns what is next. */
  private static int add(
      ByteArrayOutputStream page, byte[] template, int from, String mark, String content) {
    byte[] sought = mark.getBytes(StandardCharsets.UTF_8);
    int at = from;
    while (template[at] != sought[0]
        || !Arrays.equals(template, at, at + sought.length, sought, 0, sought.length)) {
      at++;
    }
    page.write(template, from, at - from);
    page.writeBytes(content.getBytes(StandardCharsets.UTF_8));
    return at + sought.length;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
