package dev.offcut.leaks;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A journal maps each segment and deletes it after it rolled; an index keeps the buffer. */
public final class Journal {
  private static final int SEGMENTS = 60;
  private static final int BYTES = 4 << 20;
  private static final List<MappedByteBuffer> INDEX = new ArrayList<>();

  private Journal() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      Observer.begin();
      for (int i = 0; i < SEGMENTS; i++) {
        Path file = scratch.path().resolve("segment-" + i + ".log");
        MappedByteBuffer segment = roll(file);
        for (int at = 0; at < BYTES; at += 4_096) {
          segment.put(at, (byte) 7);
        }
        Files.delete(file);
        if (!fixed) {
          INDEX.add(segment);
        } else if (i % 4 == 0) {
          System.gc();
        }
      }
      Observer.end();
    }
  }

  private static MappedByteBuffer roll(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(MapMode.READ_WRITE, 0, BYTES); // the leak
    }
  }
}
