package dev.offcut.bench.memory;

import java.util.concurrent.ThreadFactory;

/** What gives native memory in blocks, of whichever implementation. */
interface Allocator extends AutoCloseable {
  /** Blocks for one thread at a time, that which calls this first. */
  Table table(int slots);

  /** Threads as it likes them best. */
  default ThreadFactory threads() {
    return Thread::new;
  }

  /** Gives free memory back to the system, if it has a way to be told so. */
  default void trim() {}

  /** Ends it, which fails if it knows of a block that was not given back. */
  @Override
  default void close() {}

  /**
   * The implementation of that name. A JVM that asks for one only loads the classes of that one
   * only, so that its calls inline.
   */
  static Allocator of(String name) {
    return switch (name) {
      case "offcut" -> new OffcutHeap();
      case "offcut-chunks" -> new OffcutChunks();
      case "offcut-confined" -> new OffcutConfined();
      case "offcut-arena" -> new OffcutArena();
      case "jdk-ofConfined" -> new JdkConfined();
      case "netty-adaptive" -> NettyBuffers.adaptive();
      case "netty-pooled" -> NettyBuffers.pooled();
      case "arrow" -> new ArrowBuffers();
      case "libc-malloc" -> new LibcMalloc();
      case "mimalloc" -> new MimallocMalloc();
      default -> throw new IllegalArgumentException("no implementation " + name);
    };
  }
}
