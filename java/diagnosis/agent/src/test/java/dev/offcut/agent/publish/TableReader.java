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
