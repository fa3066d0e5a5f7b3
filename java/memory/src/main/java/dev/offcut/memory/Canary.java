package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.security.SecureRandom;

/**
 * Bytes behind a block that nobody should change: they depend on the address and on a secret, so
 * that neither a copied block nor a guess has them right.
 */
final class Canary {
  private static final long SECRET = new SecureRandom().nextLong();

  private Canary() {}

  /** Writes it from an address on. */
  static void write(long address, long bytes) {
    for (long at = address; at < address + bytes; at++) {
      RawMemory.ALL.set(JAVA_BYTE, at, expected(at));
    }
  }

  /** How many bytes from an address on are as they were written, at most {@code bytes}. */
  static long whole(long address, long bytes) {
    long at = 0;
    while (at < bytes && RawMemory.ALL.get(JAVA_BYTE, address + at) == expected(address + at)) {
      at++;
    }
    return at;
  }

  /** Not zero, which is what is written most often past an end. */
  private static byte expected(long address) {
    long mixed = ((address & -Long.BYTES) ^ SECRET) * 0x9E37_79B9_7F4A_7C15L;
    return (byte) ((mixed >>> (Byte.SIZE * (address & (Long.BYTES - 1)))) | 1);
  }
}
