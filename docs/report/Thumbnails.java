package com.example;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A program with two mistakes, for the picture in README.md: docs/report/picture.sh runs it. */
public final class Thumbnails {
  private static final int IMAGES = 4_000;
  private static final int BYTES = 64 << 10;

  private Thumbnails() {}

  public static void main(String[] args) throws InterruptedException {
    for (int image = 0; image < IMAGES; image++) {
      shrink(image);
      if (image % 2 == 0) {
        upload(image);
      }
      Thread.sleep(5);
    }
  }

  private static void shrink(int image) {
    Arena arena = Arena.ofConfined();
    MemorySegment pixels = arena.allocate(BYTES);
    pixels.fill((byte) image);
    if (isBroken(image)) {
      return; // the first mistake: this way the arena is never closed
    }
    arena.close();
  }

  private static void upload(int image) {
    ByteBuffer packet = ByteBuffer.allocateDirect(BYTES / 6); // the second one: a new buffer each time
    packet.putInt(image);
  }

  private static boolean isBroken(int image) {
    return image % 8 == 0;
  }
}
