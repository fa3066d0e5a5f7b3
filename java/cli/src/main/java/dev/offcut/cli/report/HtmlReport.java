package dev.offcut.cli.report;

import dev.offcut.cli.digest.Digest;
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
 * A digest as one page that needs nothing but itself. Its policy allows the script and the style
 * that are in it, by their hashes, and nothing else: what a program's names are is only text.
 */
public final class HtmlReport {
  private static final String TEMPLATE = "report.html";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)([^}]*)}}");

  private HtmlReport() {}

  /** The page. */
  public static String of(Digest digest) {
    String template = PageFiles.text(TEMPLATE);
    String style =
        words(asked(template, "style")).stream()
            .map(PageFiles::text)
            .collect(Collectors.joining("\n"));
    String script = PageBundle.of(asked(template, "script"), PageFiles::text);
    Map<String, String> values = new HashMap<>();
    values.put("title", escaped(digest.target().main() + " · offcut"));
    values.put("text", escaped(ReportText.of(digest, false)));
    values.put("style", style);
    values.put("script", script);
    values.put("data", DigestJson.of(digest).replace("<", "\\u003c"));
    values.put(
        "csp",
        "default-src 'none'; script-src "
            + hash(script)
            + "; style-src "
            + hash(style)
            + "; img-src data:; base-uri 'none'; form-action 'none'");
    return filled(template, values);
  }

  /** In one pass: what is put in is not looked at again. */
  private static String filled(String template, Map<String, String> values) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
  }

  /** What stands behind the word of a placeholder. */
  private static String asked(String template, String word) {
    Matcher found = PLACEHOLDER.matcher(template);
    while (found.find()) {
      if (found.group(1).equals(word)) {
        return found.group(2).strip();
      }
    }
    throw new IllegalStateException(TEMPLATE + " has no {{" + word + "}}");
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
