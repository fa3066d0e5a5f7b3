package dev.offcut.netty;

import dev.offcut.memory.MemoryLimitException;

/**
 * A direct buffer would have exceeded a limit of an owner or of the pool. Nothing was taken, and
 * the buffer that was to grow is unchanged. The cause is the {@link MemoryLimitException}, whose
 * message contains the table of who holds what.
 *
 * <p>It is an {@link OutOfMemoryError}, since Netty closes a channel whose read ends with one.
 * After any other exception the channel stays open and reads again. Netty's own {@code
 * OutOfDirectMemoryError} cannot be made outside of Netty. The options {@code
 * -XX:+HeapDumpOnOutOfMemoryError} and {@code -XX:+ExitOnOutOfMemoryError} have no effect on this
 * error: the JVM obeys them only for errors that it throws itself.
 */
public final class MemoryLimitError extends OutOfMemoryError {
  private static final long serialVersionUID = 1;

  MemoryLimitError(MemoryLimitException cause) {
    super(cause.getMessage());
    initCause(cause);
  }
}
