package dev.offcut.agent.hooks.code;

/** The numbers of a class file: without a sign, or with one, the highest byte first. */
public final class BigEndian {
  private BigEndian() {}

  /** Two bytes, without a sign. */
  public static int u2(byte[] file, int at) {
    return ((file[at] & 0xff) << 8) | (file[at + 1] & 0xff);
  }

  /** Two bytes. */
  public static int s2(byte[] file, int at) {
    return (short) u2(file, at);
  }

  /** Four bytes. */
  public static int s4(byte[] file, int at) {
    return (file[at] << 24)
        | ((file[at + 1] & 0xff) << 16)
        | ((file[at + 2] & 0xff) << 8)
        | (file[at + 3] & 0xff);
  }

  /** Writes two bytes. */
  static void put2(byte[] file, int at, int value) {
    file[at] = (byte) (value >> 8);
    file[at + 1] = (byte) value;
  }

  /** Writes four bytes. */
  static void put4(byte[] file, int at, int value) {
    put2(file, at, value >> 16);
    put2(file, at + 2, value);
  }
}
