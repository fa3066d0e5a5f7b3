package dev.offcut.leaks;

import java.io.IOException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A segment of an index whose values change: each generation is a file that replaces another. The
 * files of later generations share an arena, which is closed when none of them is open.
 */
public final class LuceneMappings {
  private static final int GENERATIONS = 40;
  private static final int BYTES = 2 << 20;

  /** As in a server, the newest generation is always open. */
  private static @Nullable IndexInput newest;

  private LuceneMappings() {}

  public static void main(String[] args) throws Exception {
    try (Scratch scratch = Scratch.create();
        MMapDirectory directory = new MMapDirectory(scratch.path())) {
      if (args[0].equals("fixed")) {
        directory.setGroupingFunction(MMapDirectory.NO_GROUPING);
      }
      Observer.begin();
      for (int i = 1; i <= GENERATIONS; i++) {
        replace(directory, i);
      }
      Observer.end();
    }
  }

  private static void replace(MMapDirectory directory, int generation) throws IOException {
    write(directory, name(generation));
    IndexInput values = directory.openInput(name(generation), IOContext.DEFAULT); // the leak
    values.readBytes(new byte[BYTES], 0, BYTES);
    IndexInput older = newest;
    newest = values;
    if (older != null) {
      older.close();
      directory.deleteFile(name(generation - 1));
    }
  }

  private static String name(int generation) {
    return "_0_" + Integer.toString(generation, Character.MAX_RADIX) + "_Lucene90_0.dvd";
  }

  private static void write(MMapDirectory directory, String name) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(new byte[BYTES], BYTES);
    }
  }
}
