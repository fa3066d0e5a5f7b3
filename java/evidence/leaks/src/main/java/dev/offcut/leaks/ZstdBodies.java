package dev.offcut.leaks;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;

/** A server that compresses the body of each response with a stream that it does not close. */
public final class ZstdBodies {
  private static final int RESPONSES = 300;

  private ZstdBodies() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    byte[] body = new byte[60_000];
    new Random(1).nextBytes(body);
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < RESPONSES; i++) {
      sum += compress(body, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static int compress(byte[] body, boolean fixed) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ZstdOutputStreamNoFinalizer stream = new ZstdOutputStreamNoFinalizer(out, 3); // the leak
    stream.write(body); // the leak: its tables
    stream.flush();
    if (fixed) {
      stream.close();
    }
    return out.size();
  }
}
