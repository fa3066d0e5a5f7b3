import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;

// library: Netty
// counts: io.netty.buffer.PooledUnsafeDirectByteBuf|io.netty.buffer.PooledDirectByteBuf opened=40 closed=32 lost=8
public class Netty {
  public static void main(String[] args) {
    PooledByteBufAllocator pooled = new PooledByteBufAllocator(true);
    for (int i = 0; i < 20; i++) {
      pooled(pooled, true);
    }
    for (int i = 0; i < 20; i++) {
      pooled(pooled, i < 12);
    }
    for (int i = 0; i < 10; i++) {
      unpooled(i < 6);
    }
  }

  static void pooled(PooledByteBufAllocator pool, boolean close) {
    ByteBuf some = pool.directBuffer(1000);
    ByteBuf slice = some.retainedSlice(0, 10);
    slice.release();
    if (close) {
      some.release();
    }
  }

  static void unpooled(boolean close) {
    ByteBuf some = UnpooledByteBufAllocator.DEFAULT.directBuffer(1000);
    if (close) {
      some.release();
    }
  }
}
