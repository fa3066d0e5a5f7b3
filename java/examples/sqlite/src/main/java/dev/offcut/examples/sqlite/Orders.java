package dev.offcut.examples.sqlite;

import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Generated records: the orders of a shop, the same for the same seed. */
final class Orders implements Records {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("customer", "TEXT"),
          new Column("city", "TEXT"),
          new Column("product", "TEXT"),
          new Column("quantity", "INTEGER"),
          new Column("price_cents", "INTEGER"),
          new Column("ordered_on", "TEXT"),
          new Column("note", "TEXT"));

  private static final List<String> FIRST =
      List.of("Amélie", "Ben", "Chiara", "Đorđe", "Eszter", "Farid", "Grace", "Hiroshi", "Zoë");
  private static final List<String> LAST =
      List.of("Okafor", "Müller", "Nguyễn", "O'Brien", "García", "Kowalska", "Sørensen", "田中");
  private static final List<String> CITIES =
      List.of("Zürich", "São Paulo", "Kraków", "Lagos", "Reykjavík", "Portland", "東京", "Αθήνα");
  private static final List<String> PRODUCTS =
      List.of("oak board", "pine board", "walnut veneer", "wood glue", "dowels, 8 mm", "saw blade");
  private static final List<String> NOTES =
      List.of(
          "",
          "",
          "",
          "",
          "leave at the door",
          "a gift 🎁",
          "call \"Ben\" first",
          "cut, then\nsand");

  /** So many records, more or less, share a customer. */
  private static final int ORDERS_EACH = 8;

  private static final LocalDate FIRST_DAY = LocalDate.of(2020, 1, 1);
  private static final int DAYS = 2000;

  private final SplittableRandom random;
  private final long count;
  private long made;

  Orders(long count, long seed) {
    this.count = count;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public String @Nullable [] next() {
    if (made == count) {
      return null;
    }
    made++;
    int quantity = 1 + random.nextInt(12);
    return new String[] {
      customer(random.nextLong(count / ORDERS_EACH + 1)),
      pick(CITIES),
      pick(PRODUCTS),
      Integer.toString(quantity),
      Integer.toString(quantity * (95 + random.nextInt(20_000))),
      FIRST_DAY.plusDays(random.nextInt(DAYS)).toString(),
      pick(NOTES)
    };
  }

  private static String customer(long number) {
    String first = FIRST.get((int) (number % FIRST.size()));
    return first + " " + LAST.get((int) (number % LAST.size())) + " " + number;
  }

  private String pick(List<String> words) {
    return words.get(random.nextInt(words.size()));
  }

  @Override
  public long position() {
    return made;
  }

  @Override
  public long size() {
    return count;
  }

  @Override
  public String unit() {
    return "rows";
  }

  @Override
  public String source() {
    return "generated";
  }

  @Override
  public void close() {}
}
