package dev.offcut.lucene;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import dev.offcut.memory.MemoryPool;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/** The tests that Lucene has for directories whose files have parts, on files of a pool. */
@ThreadLeakFilters(filters = OffcutThreads.class)
public class PoolDirectoryLuceneTest extends BaseChunkedDirectoryTestCase {
  private static MemoryPool pool;

  /** Not before the framework has looked at the threads that are there. */
  @BeforeClass
  public static void openPool() {
    pool = MemoryPool.named("suite").create();
  }

  @AfterClass
  public static void closePool() {
    pool.close();
  }

  @Override
  protected Directory getDirectory(Path path, int partBytes) {
    return PoolDirectory.open(
        pool.owner(), Integer.SIZE - 1 - Integer.numberOfLeadingZeros(partBytes));
  }

  @Override
  public void tearDown() throws Exception {
    super.tearDown();
    assertEquals(0, pool.snapshot().usedBytes());
    pool.verify();
  }
}
