package dev.offcut.lucene;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;

/** The tests that Lucene has for directories whose files have parts, on mapped files. */
@ThreadLeakFilters(filters = OffcutThreads.class)
public class MappedDirectoryLuceneTest extends BaseChunkedDirectoryTestCase {
  @Override
  protected Directory getDirectory(Path path, int partBytes) throws IOException {
    return MappedDirectory.open(path, null, partBytes);
  }
}
