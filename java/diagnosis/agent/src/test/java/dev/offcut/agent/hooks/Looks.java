package dev.offcut.agent.hooks;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The times at which the agent of this program looked: it writes each of them into its tables. */
public final class Looks {
  private static final int LOOKED_AT = 32;

  private Looks() {}

  /** The agent's tables, once it has made them. */
  static String tables() throws InterruptedException {
    String tables = System.getProperty("offcut.agent.tables");
    while (tables == null) {
      Thread.sleep(1);
      tables = System.getProperty("offcut.agent.tables");
    }
    return tables;
  }

  /** Waits until the agent has looked so often since the call. */
  public static void await(int looks) throws IOException, InterruptedException {
    long last = last(tables());
    for (int seen = 0; seen < looks; ) {
      Thread.sleep(1);
      long now = last(tables());
      seen += now == last ? 0 : 1;
      last = now;
    }
  }

  private static long last(String tables) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(tables, "r")) {
      return last(file);
    }
  }

  /** Not by a channel, which would open direct buffers. */
  public static long last(RandomAccessFile tables) throws IOException {
    byte[] word = new byte[Long.BYTES];
    tables.seek(LOOKED_AT);
    return tables.read(word) < word.length
        ? 0
        : ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
