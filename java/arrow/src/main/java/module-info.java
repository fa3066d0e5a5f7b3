/** Arrow's buffers in a pool, which limits and counts their memory by owners. */
module dev.offcut.arrow {
  requires static org.jspecify;
  requires dev.offcut.handle;
  requires transitive dev.offcut.memory;
  requires transitive org.apache.arrow.memory.core;

  exports dev.offcut.arrow;
  exports org.apache.arrow.memory.unsafe to
      org.apache.arrow.memory.core;
}
