/** Netty's buffers on memory of a pool, which limits and counts it by its owners. */
module dev.offcut.netty {
  requires static org.jspecify;
  requires static jdk.jfr;
  requires dev.offcut.handle;
  requires transitive dev.offcut.memory;
  requires transitive io.netty.buffer;
  requires io.netty.common;

  exports dev.offcut.netty;
}
