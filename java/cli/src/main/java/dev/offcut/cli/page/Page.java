package dev.offcut.cli.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One page as one file that needs nothing but itself. Its policy allows the script and the style
 * that are in it, by their hashes, and nothing else: what names in the data are is only text.
 */
public final class Page {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)([^}]*)}}");

  private final String name;
  private final String template;

  private Page(String name) {
    this.name = name;
    this.template = PageFiles.text(name);
  }

  /**
   * A template of the folder {@code web}, filled in.
   *
   * @param template the name of its file
   * @param text for who has no scripts
   * @param json the data
   */
  public static String of(String template, String title, String text, String json) {
    return new Page(template).page(title, text, json);
  }

  private String page(String title, String text, String json) {
    String style =
        words(asked("style")).stream().map(PageFiles::text).collect(Collectors.joining("\n"));
    String script = PageBundle.of(asked("script"), PageFiles::text);
    Map<String, String> values = new HashMap<>();
    values.put("title", escaped(title));
    values.put("text", escaped(text));
    values.put("style", style);
    values.put("script", script);
    values.put("data", json.replace("<", "\\u003c"));
    values.put(
        "csp",
        "default-src 'none'; script-src "
            + hash(script)
            + "; style-src "
            + hash(style)
            + "; img-src data:; base-uri 'none'; form-action 'none'");
    return filled(values);
  }

  /** In one pass: what is put in is not looked at again. */
  private String filled(Map<String, String> values) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
  }

  /** What stands behind the word of a placeholder. */
  private String asked(String word) {
    Matcher found = PLACEHOLDER.matcher(template);
    while (found.find()) {
      if (found.group(1).equals(word)) {
        return found.group(2).strip();
      }
    }
    throw new IllegalStateException(name + " has no {{" + word + "}}");
  }

  private static List<String> words(String text) {
    return List.of(text.split(" ", -1));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
