/**
 * A pool of native memory in chunks that are split on demand and joined on return, charged to
 * owners, with arenas on {@code java.lang.foreign} on top.
 */
module dev.offcut.memory {
  requires static org.jspecify;
  requires static jdk.jfr;
  requires dev.offcut.handle;

  exports dev.offcut.memory;
}
