package dev.offcut.retrofit.base.io;

/**
 * What the stock walk answered on a thread, within its current entry into a stream.
 *
 * <p>A stream's memo is a plain field that several threads may write. A thread writes nothing but
 * null and memos that bear its own name, and uses none that bears another's: so what it uses is
 * what it wrote last itself, which is right for its current entry. Both fields are final, so no
 * memo is seen half made. No stronger order is needed; the loader case {@code twoThreads} would
 * catch a tag that is missing.
 */
public final class Memo {
  final Thread thread;
  final LoaderClasses classes;

  Memo(Thread thread, LoaderClasses classes) {
    this.thread = thread;
    this.classes = classes;
  }
}
