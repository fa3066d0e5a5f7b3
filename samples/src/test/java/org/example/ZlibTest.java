package org.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.offcut.junit.NoNativeLeaks;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

/** Fails if a stream of zlib stays open. */
@NoNativeLeaks
class ZlibTest {
  @Test
  void compressedBytes_areTheSameAgain() throws DataFormatException {
    byte[] bytes = new byte[10_000];
    byte[] compressed;
    try (Zlib.Stream stream = new Zlib.Stream()) {
      compressed = new Zlib.Deflater(stream, 9).compress(bytes); // the stream closes it
    }
    assertTrue(compressed.length < 100);
    byte[] again = new byte[bytes.length];
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(compressed);
      inflater.inflate(again);
    } finally {
      inflater.end();
    }
    assertArrayEquals(bytes, again);
  }
}
