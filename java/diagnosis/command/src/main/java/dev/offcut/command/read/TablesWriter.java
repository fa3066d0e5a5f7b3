package dev.offcut.command.read;

import dev.offcut.resident.GoProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes tables in the place of a Go program that has published none: they say who it was, and that
 * it counted nothing.
 */
public final class TablesWriter {
  private static final String SCHEMA =
      "offcut.GoProgram\npid long\nmain text\narguments text\nversion text\nstarted time\npackages"
          + " text\ncounts long";

  private static final int COLUMNS = 7;
  private static final int HEADER_WORDS = 8;
  private static final int SEGMENT_WORDS = 4;

  private final ByteArrayOutputStream texts = new ByteArrayOutputStream();
  private final long textsAt;

  private TablesWriter() {
    textsAt = (long) Long.BYTES * (HEADER_WORDS + SEGMENT_WORDS + 1 + 2 * COLUMNS);
  }

  /** Writes them, as of a program that has just ended. */
  public static void ofGo(
      Path file, long pid, @Nullable Path program, List<String> command, Instant began)
      throws IOException {
    GoProgram known = program == null ? null : GoProgram.of(program);
    TablesWriter writer = new TablesWriter();
    long[] row = {
      pid,
      writer.text(command.getFirst()),
      writer.text(String.join(" ", command.subList(1, command.size()))),
      writer.text(known == null || known.version().isEmpty() ? "go" : known.version()),
      began.toEpochMilli(),
      writer.text(known == null ? "" : String.join(",", known.modules())),
      0
    };
    long schema = writer.text(SCHEMA);
    ByteBuffer words = ByteBuffer.allocate((int) writer.textsAt).order(ByteOrder.LITTLE_ENDIAN);
    words.put("OFFCUTTB".getBytes(StandardCharsets.US_ASCII));
    words.putLong(2).putLong(pid).putLong((long) Long.BYTES * HEADER_WORDS);
    words.putLong(SteadyClock.now().toEpochMilli()).putLong(1).putLong(0).putLong(0);
    words.putLong(0).putLong(schema).putLong(COLUMNS).putLong(1);
    words.putLong(2); // the version of the row: its first copy counts
    for (long value : row) {
      words.putLong(value);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(words.array());
    all.writeBytes(writer.texts.toByteArray());
    Files.write(file, all.toByteArray());
  }

  /** Where it stands. */
  private long text(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    long at = textsAt + texts.size();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    texts.writeBytes(
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(bytes.length)
            .array());
    texts.writeBytes(bytes);
    texts.writeBytes(new byte[-bytes.length & (Long.BYTES - 1)]);
    return at;
  }
}
