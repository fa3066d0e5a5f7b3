package dev.offcut.cli.export;

import dev.offcut.cli.digest.Digest;
import java.util.List;

/** Kinds, handles and places as rows of RFC 4180. What a row does not have is empty. */
final class Csv {
  private static final List<String> HEAD =
      List.of(
          "row",
          "name",
          "opened",
          "closed",
          "collected",
          "lost",
          "forgotten",
          "open",
          "bytes",
          "lost_bytes",
          "exact",
          "stack");

  /** What programs that open such files take for the beginning of a formula. */
  private static final String FORMULA = "=+-@\t";

  private final StringBuilder text = new StringBuilder();

  private Csv() {}

  static String of(Digest digest) {
    Csv csv = new Csv();
    csv.row(HEAD);
    digest.kinds().forEach(csv::kind);
    digest.sites().forEach(csv::site);
    digest.handles().forEach(csv::handles);
    digest.handleLeaks().forEach(csv::leak);
    return csv.text.toString();
  }

  private void kind(Digest.Kind kind) {
    row(
        List.of(
            "kind",
            kind.kind(),
            number(kind.opened()),
            number(kind.closed()),
            number(kind.collected()),
            number(kind.lost()),
            "",
            number(kind.open()),
            number(kind.bytes()),
            number(kind.lostBytes()),
            "true",
            ""));
  }

  private void site(Digest.Site site) {
    row(
        List.of(
            "site",
            site.kind(),
            number(site.opened()),
            number(site.closed()),
            number(site.collected()),
            number(site.lost()),
            "",
            number(site.open()),
            number(site.bytes()),
            number(site.lostBytes()),
            String.valueOf(site.exact()),
            String.join(";", site.frames())));
  }

  private void handles(Digest.Handles handles) {
    row(
        List.of(
            "handles",
            handles.type(),
            number(handles.opened()),
            number(handles.closed()),
            "",
            "",
            number(handles.forgotten()),
            number(handles.open()),
            "",
            "",
            "true",
            ""));
  }

  private void leak(Digest.HandleLeak leak) {
    String stack = String.join(";", leak.frames());
    row(
        List.of(
            "leak", leak.type(), "", "", "", "", number(leak.count()), "", "", "", "true", stack));
  }

  private static String number(long value) {
    return String.valueOf(value);
  }

  private void row(List<String> cells) {
    for (int i = 0; i < cells.size(); i++) {
      text.append(i == 0 ? "" : ",").append(quoted(cells.get(i)));
    }
    text.append("\r\n");
  }

  /** Names come from the program: they are quoted where they have to be, and never a formula. */
  private static String quoted(String cell) {
    boolean formula = !cell.isEmpty() && FORMULA.indexOf(cell.charAt(0)) >= 0 && !isNumber(cell);
    String safe = formula ? "'" + cell : cell;
    boolean plain = safe.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }

  private static boolean isNumber(String cell) {
    return cell.length() > 1 && cell.chars().skip(1).allMatch(Character::isDigit);
  }
}
