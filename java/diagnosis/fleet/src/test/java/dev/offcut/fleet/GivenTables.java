package dev.offcut.fleet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file of tables, as an agent leaves it: {@code spec/tables.md}. */
final class GivenTables {
  private static final int HEADER_WORDS = 8;

  private record Table(String schema, List<Object[]> rows) {}

  private final List<Table> tables = new ArrayList<>();
  private final long pid;

  GivenTables(long pid) {
    this.pid = pid;
  }

  /** {@code schema}: its name, then columns as {@code name type}. */
  GivenTables table(List<String> schema, List<Object[]> rows) {
    tables.add(new Table(String.join("\n", schema), rows));
    return this;
  }

  /** {@code lookedMs}: when the agent updated the rows last. */
  byte[] bytes(long lookedMs, boolean ended) {
    Words words = new Words();
    words.add(
        ByteBuffer.wrap("OFFCUTTB".getBytes(StandardCharsets.US_ASCII))
            .order(ByteOrder.LITTLE_ENDIAN)
            .getLong());
    words.add(2);
    words.add(pid);
    int first = words.add(0);
    words.add(lookedMs);
    words.add(ended ? 1 : 0);
    while (words.all.size() < HEADER_WORDS) {
      words.add(0);
    }
    int link = first;
    for (Table table : tables) {
      long schema = words.text(table.schema);
      List<long[]> rows = new ArrayList<>();
      for (Object[] row : table.rows) {
        long[] values = new long[row.length];
        for (int i = 0; i < row.length; i++) {
          values[i] = words.value(row[i]);
        }
        rows.add(values);
      }
      words.all.set(link, (long) words.all.size() * Long.BYTES);
      link = words.add(0);
      int columns = table.schema.split("\n", -1).length - 1;
      words.add(schema);
      words.add(columns);
      words.add(rows.size());
      for (long[] row : rows) {
        words.add(2); // even: the first copy
        for (long value : row) {
          words.add(value);
        }
        for (long value : row) {
          words.add(value);
        }
      }
    }
    return words.bytes();
  }

  private static final class Words {
    private final List<Long> all = new ArrayList<>();

    int add(long word) {
      all.add(word);
      return all.size() - 1;
    }

    long value(@Nullable Object value) {
      return value instanceof Number number
          ? number.longValue()
          : text(Objects.requireNonNull(value).toString());
    }

    long text(String text) {
      if (text.isEmpty()) {
        return 0;
      }
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int at = add(bytes.length);
      ByteBuffer padded =
          ByteBuffer.allocate((bytes.length + 7) / Long.BYTES * Long.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN);
      padded.put(bytes).rewind();
      while (padded.hasRemaining()) {
        add(padded.getLong());
      }
      return (long) at * Long.BYTES;
    }

    byte[] bytes() {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      for (long one : all) {
        out.writeBytes(word.putLong(0, one).array());
      }
      return out.toByteArray();
    }
  }
}
