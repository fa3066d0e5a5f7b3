package dev.offcut.leaks;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Caches on mapped files, used by slices of the mapping, whose arena is forgotten. */
public final class SharedArenas {
  private static final int CACHES = 20;
  private static final int BYTES = 4 << 20;

  private SharedArenas() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      Observer.begin();
      for (int i = 0; i < CACHES; i++) {
        use(scratch.path().resolve("cache" + i), fixed);
      }
      Observer.end();
    }
  }

  private static void use(Path file, boolean fixed) throws IOException {
    Arena arena = Arena.ofShared(); // the leak
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment all = channel.map(MapMode.READ_WRITE, 0, BYTES, arena);
      for (int at = 0; at < BYTES; at += BYTES / 4) {
        all.asSlice(at, BYTES / 4).fill((byte) 1);
      }
    }
    Files.delete(file);
    if (fixed) {
      arena.close();
    }
  }
}
