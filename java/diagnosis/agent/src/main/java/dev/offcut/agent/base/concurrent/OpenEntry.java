package dev.offcut.agent.base.concurrent;

import java.lang.ref.PhantomReference;
import org.jspecify.annotations.Nullable;

/** An open object, or one that is not open yet, or not any more. A helper of {@link Closeables}. */
final class OpenEntry extends PhantomReference<Object> {
  final int hash;

  /**
   * The kind's number, and the token of where it was opened in the lower half. 0: closed before it
   * was opened, or again. Below: it waits for its constructor, and {@code -1 - what} is how it
   * ends.
   */
  int what;

  @Nullable OpenEntry next;

  OpenEntry(Object object, OpenStripe stripe, int hash) {
    super(object, stripe);
    this.hash = hash;
  }
}
