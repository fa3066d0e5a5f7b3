package dev.offcut.leaks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/** An encoder that takes a buffer for each message and does not release one in fifty. */
public final class NettyBuffers {
  private static final int MESSAGES = 200_000;
  private static final int MESSAGE_BYTES = 16 * 1024;

  private NettyBuffers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    Observer.begin();
    for (int i = 0; i < MESSAGES; i++) {
      if (i % 50 == 0) {
        encode(allocator, fixed);
      } else {
        allocator.directBuffer(MESSAGE_BYTES).writeLong(i).release();
      }
      if (i == MESSAGES / 2) {
        System.gc(); // Netty's own detector speaks at the next allocation after a collection
      }
    }
    Observer.end();
  }

  private static void encode(ByteBufAllocator allocator, boolean fixed) {
    ByteBuf message = allocator.directBuffer(MESSAGE_BYTES); // the leak
    message.writeZero(MESSAGE_BYTES);
    if (fixed) {
      message.release();
    }
  }
}
