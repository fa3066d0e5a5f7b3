package dev.offcut.examples.budget;

import dev.offcut.lucene.PoolDirectory;
import dev.offcut.memory.Owner;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;

/** An index with Lucene of the batches that came back. Its files are charged to an owner. */
final class BatchIndex implements AutoCloseable {
  private static final String FIRST = "first";
  private static final String SUM = "sum";

  private final PoolDirectory directory;
  private final IndexWriter writer;

  BatchIndex(Owner owner) throws IOException {
    directory = PoolDirectory.on(owner);
    writer = new IndexWriter(directory, new IndexWriterConfig());
  }

  /** A batch: its first number, and the sum of its numbers. */
  void add(long first, long sum) throws IOException {
    Document batch = new Document();
    batch.add(new LongPoint(FIRST, first));
    batch.add(new StoredField(SUM, sum));
    writer.addDocument(batch);
  }

  /** The sum of all batches whose first number is in a range, as the index has it. */
  long sum(long from, long to) throws IOException {
    writer.commit();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      long sum = 0;
      int all = Math.max(1, reader.numDocs());
      for (ScoreDoc found :
          searcher.search(LongPoint.newRangeQuery(FIRST, from, to), all).scoreDocs) {
        sum += searcher.storedFields().document(found.doc).getField(SUM).numericValue().longValue();
      }
      return sum;
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
    directory.close();
  }
}
