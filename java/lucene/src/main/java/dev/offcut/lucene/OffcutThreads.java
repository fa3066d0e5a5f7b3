package dev.offcut.lucene;

import com.carrotsearch.randomizedtesting.ThreadFilter;

/**
 * The threads of Offcut, for tests that extend {@code LuceneTestCase}: they are no leak. The class
 * is of use only to tests, which bring the library that it names.
 *
 * <pre>{@code
 * @ThreadLeakFilters(filters = OffcutThreads.class)
 * public class ProductsTest extends LuceneTestCase { … }
 * }</pre>
 *
 * <p>The pool's thread ends with the last pool, and the thread of a directory a second after its
 * last file. The thread of the handles stays.
 */
public final class OffcutThreads implements ThreadFilter {
  /** Makes a filter; the test framework calls this. */
  public OffcutThreads() {}

  @Override
  public boolean reject(Thread thread) {
    return thread.isDaemon()
        && (thread.getName().startsWith("offcut-") || thread.getName().startsWith("offcut "));
  }
}
