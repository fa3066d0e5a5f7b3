package shop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Code of a program, outside of the packages of the library. */
public final class Till {
  private Till() {}

  /** Takes a buffer. */
  public static ByteBuf open(ByteBufAllocator allocator) {
    return allocator.buffer(1000);
  }
}
