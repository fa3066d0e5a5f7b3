package dev.offcut.command.show;

import dev.offcut.command.read.Digest;

/** A digest as one page that needs nothing but itself. */
public final class HtmlReport {
  private HtmlReport() {}

  /** The page, as UTF-8. */
  public static byte[] of(Digest digest) {
    return Page.of(
        "report",
        digest.target().main() + " · offcut",
        ReportText.of(digest, false),
        DigestJson.of(digest));
  }
}
