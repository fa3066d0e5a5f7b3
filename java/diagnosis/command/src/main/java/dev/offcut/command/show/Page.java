package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import java.nio.charset.StandardCharsets;

/**
 * One page as one file that needs nothing but itself. The build has made all of it but what it
 * shows, by {@link PageTemplate}; its policy allows the script and the style that are in it, and
 * nothing else. What names in the data are is only text.
 */
public final class Page {
  private Page() {}

  public static byte[] of(Digest digest) {
    return of(
        "report",
        digest.target().main() + " · offcut",
        ReportText.of(digest, false),
        DigestJson.of(digest));
  }

  /**
   * A page of the folder {@code web}, as UTF-8.
   *
   * @param name of its file, without {@code .html}
   * @param text for who has no scripts
   * @param json the data
   */
  public static byte[] of(String name, String title, String text, String json) {
    StringBuilder page = new StringBuilder();
    String rest = PageFiles.text(name + PageTemplate.ENDING);
    rest = add(page, rest, PageTemplate.TITLE, escaped(title));
    rest = add(page, rest, PageTemplate.TEXT, escaped(text));
    rest = add(page, rest, PageTemplate.DATA, json.replace("<", "\\u003c"));
    return page.append(rest).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Adds a template up to a mark, and what stands in its place; returns what is next. */
  private static String add(StringBuilder page, String template, String mark, String content) {
    int at = template.indexOf(mark);
    page.append(template, 0, at).append(content);
    return template.substring(at + mark.length());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
