package junit;

import java.nio.ByteBuffer;

/** Code in a package of a known library, which opens below many of its own frames. */
public final class DeepLibrary {
  private DeepLibrary() {}

  /** Opens a buffer below as many frames. */
  public static ByteBuffer open(int frames) {
    return frames <= 1 ? ByteBuffer.allocateDirect(1) : open(frames - 1);
  }
}
