package dev.offcut.retrofit.base.io;

import java.nio.charset.StandardCharsets;

/**
 * The agent's settings, as the helpers see them. {@code JavaBase} writes the values into the class
 * file in the place of the texts before it defines the class. So nothing can change them later, and
 * the JVM compiles them in.
 */
final class StreamSettings {
  /** One answer in so many is verified; 0 verifies none. */
  static final int VERIFY = Integer.parseInt("offcut setting verify");

  /** The class file of {@link ElementStream}: a character a byte. */
  private static final String ELEMENT_STREAM = "offcut setting element stream";

  private StreamSettings() {}

  /** The class file of {@link ElementStream}. */
  static byte[] elementStream() {
    return ELEMENT_STREAM.getBytes(StandardCharsets.ISO_8859_1);
  }
}
