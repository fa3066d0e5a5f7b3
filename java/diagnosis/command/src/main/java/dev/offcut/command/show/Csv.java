package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kinds, call sites and types of handles as rows of RFC 4180. What a row does not have is empty:
 * bytes of a class that a rule names are not known.
 */
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
    csv.line(HEAD);
    for (Digest.Kind kind : digest.kinds()) {
      csv.row(
          "kind",
          kind.kind(),
          !Kinds.isEstimated(kind.kind()),
          List.of(),
          kind.opened(),
          kind.closed(),
          kind.collected(),
          kind.lost(),
          null,
          kind.open(),
          size(kind.kind(), kind.bytes()),
          size(kind.kind(), kind.lostBytes()));
    }
    for (Digest.Site site : digest.sites()) {
      csv.row(
          "site",
          site.kind(),
          site.exact(),
          site.frames(),
          site.opened(),
          site.closed(),
          site.collected(),
          site.lost(),
          null,
          site.open(),
          size(site.kind(), site.bytes()),
          size(site.kind(), site.lostBytes()));
    }
    for (Digest.Filled one : digest.filled()) {
      csv.row(
          "filled",
          one.kind(),
          false,
          one.frames(),
          null,
          null,
          null,
          null,
          null,
          null,
          one.bytes(),
          one.lostBytes());
    }
    for (Digest.Handles one : digest.handles()) {
      csv.row(
          "handles",
          one.type(),
          true,
          List.of(),
          one.opened(),
          one.closed(),
          null,
          null,
          one.forgotten(),
          one.open(),
          null,
          null);
    }
    for (Digest.HandleLeak one : digest.handleLeaks()) {
      csv.row(
          "leak",
          one.type(),
          true,
          one.frames(),
          null,
          null,
          null,
          null,
          one.count(),
          null,
          null,
          null);
    }
    return csv.text.toString();
  }

  private static @Nullable Long size(String kind, long bytes) {
    return Kinds.isCloseable(kind) ? null : bytes;
  }

  /** {@code figures}: those of the columns from opened to lost_bytes. */
  private void row(
      String row, String name, boolean exact, List<String> frames, @Nullable Long... figures) {
    List<String> cells = new ArrayList<>(List.of(row, name));
    for (Long figure : figures) {
      cells.add(figure == null ? "" : figure.toString());
    }
    cells.add(String.valueOf(exact));
    cells.add(String.join(";", frames));
    line(cells);
  }

  private void line(List<String> cells) {
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
