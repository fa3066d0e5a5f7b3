package dev.offcut.leaks;

import java.util.zip.Deflater;

/** A serializer that compresses each record with a deflater of its own and does not end it. */
public final class Deflaters {
  private static final int RECORDS = 2_000;

  private Deflaters() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    byte[] packed = new byte[8_192];
    Observer.begin();
    long bytes = 0;
    for (int i = 0; i < RECORDS; i++) {
      bytes += compress(new byte[4_096], packed, fixed);
    }
    Observer.end();
    System.out.println("bytes " + bytes);
  }

  private static int compress(byte[] record, byte[] packed, boolean fixed) {
    Deflater deflater = new Deflater(); // the leak
    deflater.setInput(record);
    deflater.finish();
    int bytes = deflater.deflate(packed);
    if (fixed) {
      deflater.end();
    }
    return bytes;
  }
}
