/** An allocator for Netty on a pool, which limits and counts the buffers' memory by owners. */
module dev.offcut.netty {
  requires static org.jspecify;
  requires dev.offcut.handle;
  requires transitive dev.offcut.memory;
  requires transitive io.netty.buffer;
  requires io.netty.common;

  exports dev.offcut.netty;
}
