package dev.offcut.leaks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.xerial.snappy.SnappyFramedOutputStream;

/** Messages are compressed with framed streams, which are flushed and not closed. */
public final class SnappyFrames {
  private static final int MESSAGES = 3_000;

  private SnappyFrames() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    byte[] message = new byte[2_000];
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < MESSAGES; i++) {
      sum += frame(message, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static int frame(byte[] message, boolean fixed) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SnappyFramedOutputStream stream = new SnappyFramedOutputStream(out); // the leak
    stream.write(message);
    stream.flush();
    if (fixed) {
      stream.close();
    }
    return out.size();
  }
}
