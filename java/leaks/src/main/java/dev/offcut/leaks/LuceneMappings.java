package dev.offcut.leaks;

import java.io.IOException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.jspecify.annotations.Nullable;

/** A segment of an index whose values change: each generation is a file that replaces another. */
public final class LuceneMappings {
  private static final int GENERATIONS = 40;
  private static final int BYTES = 2 << 20;

  /** Open as long as the program runs, as in a server. */
  @SuppressWarnings("unused") // it is what keeps the mappings
  private static @Nullable IndexInput segment;

  private LuceneMappings() {}

  public static void main(String[] args) throws Exception {
    try (Scratch scratch = Scratch.create();
        MMapDirectory directory = new MMapDirectory(scratch.path())) {
      if (args[0].equals("fixed")) {
        directory.setGroupingFunction(MMapDirectory.NO_GROUPING);
      }
      write(directory, "_0.fdt");
      segment = directory.openInput("_0.fdt", IOContext.DEFAULT);
      Observer.begin();
      for (int i = 0; i < GENERATIONS; i++) {
        generation(directory, "_0_" + i + "_Lucene90_0.dvd");
      }
      Observer.end();
    }
  }

  private static void generation(MMapDirectory directory, String name) throws IOException {
    write(directory, name);
    try (IndexInput values = directory.openInput(name, IOContext.DEFAULT)) { // the leak
      for (long at = 0; at < BYTES; at += 8) {
        values.readLong();
      }
    }
    directory.deleteFile(name);
  }

  private static void write(MMapDirectory directory, String name) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(new byte[BYTES], BYTES);
    }
  }
}
