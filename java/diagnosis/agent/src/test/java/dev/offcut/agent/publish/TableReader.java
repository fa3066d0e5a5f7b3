package dev.offcut.agent.publish;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads tables as {@code spec/tables.md} says, while they are written. */
public final class TableReader {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ByteBuffer bytes;

  private TableReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** The files of tables in a folder, where files of the sampler lie, too. */
  public static Stream<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".tables")).toList().stream();
    }
  }

  /** The tables in a file. */
  public static TableReader of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new TableReader(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
    }
  }

  /** The tables of the one program that wrote into a folder. */
  public static TableReader in(Path folder) throws IOException {
    try (Stream<Path> files = filesIn(folder)) {
      return of(files.filter(Files::isRegularFile).findFirst().orElseThrow());
    }
  }

  /** Of each kind the numbers in these columns, such as {@code opened}. */
  public Map<String, List<Long>> counts(String... columns) {
    Map<String, List<Long>> counts = new TreeMap<>();
    for (Map<String, Object> row : rows("offcut.ResourceStatistics")) {
      counts.put(
          String.valueOf(row.get("kind")),
          Stream.of(columns).map(column -> number(row, column)).toList());
    }
    return counts;
  }

  /** Of the objects of each class with this in its name: opened, closed, collected, lost, open. */
  public Map<String, List<Long>> countsOfClasses(Pattern names) {
    Map<String, List<Long>> counts = new TreeMap<>();
    counts("opened", "closed", "collected", "lost", "open")
        .forEach(
            (kind, numbers) -> {
              String name = kind.replaceFirst("^closeable:", "");
              if (!name.equals(kind) && names.matcher(name).lookingAt()) {
                counts.put(name, numbers);
              }
            });
    return counts;
  }

  /** What a program of a test printed: lines of a class and its counts, as these are. */
  public static Map<String, List<Long>> printed(List<String> lines) {
    Map<String, List<Long>> counts = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words.length == 6) {
        counts.put(words[0], Stream.of(words).skip(1).map(Long::valueOf).toList());
      }
    }
    return counts;
  }

  /** The number in a column of a row. */
  public static long number(Map<String, Object> row, String column) {
    return (Long) Objects.requireNonNull(row.get(column), column);
  }

  boolean hasEnded() {
    return word(40) == 1;
  }

  boolean isFull() {
    return word(48) == 1;
  }

  private long word(long at) {
    return (long) LONG.getAcquire(bytes, (int) at);
  }

  private String text(long at) {
    if (at == 0) {
      return "";
    }
    byte[] text = new byte[(int) word(at)];
    bytes.get((int) at + 8, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** All rows of a table: their fields by name. */
  public List<Map<String, Object>> rows(String table) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (long segment = word(24); segment != 0; segment = word(segment)) {
      List<String> schema = text(word(segment + 8)).lines().toList();
      int columns = (int) word(segment + 16);
      for (long row = 0; row < word(segment + 24) && schema.get(0).equals(table); row++) {
        long[] values = row(segment + 32 + row * 8 * (1 + 2L * columns), columns);
        if (values.length > 0) {
          rows.add(fields(schema, values));
        }
      }
    }
    return rows;
  }

  private Map<String, Object> fields(List<String> schema, long[] values) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      String[] column = schema.get(1 + i).split(" ", -1);
      fields.put(column[0], column[1].equals("text") ? text(values[i]) : (Object) values[i]);
    }
    return fields;
  }

  private long[] row(long at, int columns) {
    while (true) {
      long version = word(at);
      if (version == 0) {
        return new long[0];
      }
      long[] values = new long[columns];
      for (int i = 0; i < columns; i++) {
        values[i] = (long) LONG.get(bytes, (int) at + 8 + 8 * ((int) (version & 1) * columns + i));
      }
      VarHandle.acquireFence();
      if (word(at) == version) {
        return values;
      }
    }
  }
}
