package dev.offcut.command.show;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as of RFC 4180. What a row does not have is empty. */
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

  static String of(List<Row> rows) {
    Csv csv = new Csv();
    csv.line(HEAD);
    rows.forEach(csv::row);
    return csv.text.toString();
  }

  private void row(Row row) {
    line(
        List.of(
            row.row(),
            row.name(),
            number(row.opened()),
            number(row.closed()),
            number(row.collected()),
            number(row.lost()),
            number(row.forgotten()),
            number(row.open()),
            number(row.bytes()),
            number(row.lostBytes()),
            String.valueOf(row.exact()),
            String.join(";", row.frames())));
  }

  private static String number(@Nullable Long value) {
    return value == null ? "" : value.toString();
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
