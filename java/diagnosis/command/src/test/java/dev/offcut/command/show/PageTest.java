package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
  /** A program whose name is an attack. */
  private static Digest digest() {
    Digest empty = new DigestBuilder().digest(true);
    String name = "</script><script>alert(1)</script>{{data}}$1\\";
    return empty.with(
        new Digest.Target(1, name, List.of(name), "25", "", 1, "none", 0),
        List.of(name),
        List.of());
  }

  private static String between(String page, String from, String to) {
    int begin = page.indexOf(from) + from.length();
    assertThat(begin).as(from).isGreaterThanOrEqualTo(from.length());
    return page.substring(begin, page.indexOf(to, begin));
  }

  private static String hash(String text) throws NoSuchAlgorithmException {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
  }

  private static String page() {
    return new String(Page.of(digest()), StandardCharsets.UTF_8);
  }

  @Test
  void page_policy_allowsWhatIsInItAlone() throws NoSuchAlgorithmException {
    String page = page();
    String policy = between(page, "Content-Security-Policy\" content=\"", "\"");
    assertThat(policy)
        .startsWith("default-src 'none'; ")
        .contains("script-src " + hash(between(page, "<script>", "</script>")) + ";")
        .contains("style-src " + hash(between(page, "<style>", "</style>")) + ";")
        .doesNotContain("unsafe");
  }

  @Test
  void page_namesOfThePrograms_areText() {
    String page = page();
    assertThat(page).doesNotContain("<script>alert").contains("&lt;script&gt;alert(1)");
    assertThat(between(page, "id=\"offcut-data\">", "</script>"))
        .startsWith("{\"schema\":\"offcut.report/2\"")
        .endsWith("}")
        .contains("\\u003c/script>\\u003cscript>alert(1)\\u003c/script>{{data}}$1");
    assertThat(page.split("<script", -1)).hasSize(3);
  }

  @Test
  void page_needs_nothingButItself() {
    String page = page();
    assertThat(page).doesNotContain("src=\"", "href=\"page", "@import").doesNotContain("{{csp}}");
    assertThat(between(page, "<script>", "</script>")).doesNotContainPattern("(?m)^import ");
  }
}
