package dev.offcut.lucene;

import dev.offcut.memory.BlockHeap;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * A look at the first file of each directory: its bytes are memory of the pool, and go back to it.
 * A version of Lucene that wants more of a directory, or calls something else, would fail later,
 * and would not say why.
 */
final class Proof {
  private static final String NAME = "offcut.proof";
  private static final long VALUE = 0x0123456789ABCDEFL;

  private Proof() {}

  /**
   * Throws if files of a directory that has none are not memory of a heap that is not used yet.
   *
   * @param ending ends what waits for its end
   */
  static void check(Directory directory, BlockHeap heap, Runnable ending) {
    String wrong;
    try {
      wrong = findWrong(directory, heap, ending);
    } catch (LinkageError e) {
      throw unknown("its files cannot be kept in the pool: " + e, e);
    } catch (IOException e) {
      if (e.getCause() instanceof RuntimeException ofPool) {
        throw ofPool;
      }
      throw unknown("its files cannot be kept in the pool: " + e, e);
    }
    if (wrong != null) {
      throw unknown(wrong, null);
    }
  }

  private static @Nullable String findWrong(Directory directory, BlockHeap heap, Runnable ending)
      throws IOException {
    try (IndexOutput output = directory.createOutput(NAME, IOContext.DEFAULT)) {
      output.writeLong(VALUE);
      output.writeString(NAME);
    }
    if (heap.usedBytes() == 0) {
      return "the pool is not asked for the memory of its files";
    }
    try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
      IndexInput slice = input.slice(NAME, Long.BYTES, input.length() - Long.BYTES);
      if (input.clone().readLong() != VALUE || !slice.readString().equals(NAME)) {
        return "what was written to a file is not what is read";
      }
    }
    directory.deleteFile(NAME);
    ending.run();
    return heap.usedBytes() == 0 ? null : "the memory of its files does not come back";
  }

  /** What to throw with a version of Lucene that is not known. */
  static UnsupportedOperationException unknown(String why, @Nullable Throwable cause) {
    return new UnsupportedOperationException(
        "Lucene "
            + Version.LATEST
            + " is not known to Offcut ("
            + why
            + "): use Lucene 9.12 or 10, or another directory",
        cause);
  }
}
