package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import dev.offcut.lucene.MappedDirectory;
import dev.offcut.lucene.PoolDirectory;
import dev.offcut.memory.MemoryPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * {@code lucene_search}: a query. {@code lucene_reopen}: an index opened, searched once, and
 * closed. {@code lucene_index}: a small index written in four commits, with the merges. Each thread
 * has an index of its own.
 *
 * <p>Arguments: directory, what, documents, threads, CPU seconds of warm-up, seconds of
 * measurement.
 */
final class LuceneIndex {
  private static final int WORDS = 40;
  private static final int VOCABULARY = 20_000;
  private static final int COMMITS = 4;
  private static final int HITS = 10;
  private static final Sort BY_ORDER = new Sort(new SortField("order", SortField.Type.LONG));

  private LuceneIndex() {}

  public static void main(String[] args) throws InterruptedException {
    int documents = Integer.parseInt(args[2]);
    int threads = Integer.parseInt(args[3]);
    var works = Stream.generate(() -> work(args[1], args[0], documents)).limit(threads).toList();
    Workers.run(works, Child.nanos(args[4]), Child.nanos(args[5])).report();
  }

  private static Index work(String what, String directory, int documents) {
    return switch (what) {
      case "search" -> new Searches(directory, documents);
      case "reopen" -> new Reopenings(directory, documents);
      case "index" -> new Indexings(directory, documents);
      default -> throw new IllegalArgumentException("search, reopen or index, not " + what);
    };
  }

  /** Documents, and the directory that they are indexed in. */
  private abstract static class Index implements Workers.Work {
    final SplittableRandom random = new SplittableRandom(8246633);
    private final String kind;
    private final List<String> texts = new ArrayList<>();

    Index(String kind, int documents) {
      this.kind = kind;
      for (int i = 0; i < documents; i++) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < WORDS; word++) {
          text.append(word()).append(' ');
        }
        texts.add(text.toString());
      }
    }

    /** Rare and common ones, as in a language. */
    private String word() {
      return "w" + random.nextInt(1 + random.nextInt(VOCABULARY));
    }

    @Override
    public int chunk() {
      return 32;
    }

    final Store open() throws IOException {
      return Store.of(kind);
    }

    final void writeAll(Directory directory) throws IOException {
      IndexWriterConfig config =
          new IndexWriterConfig(new StandardAnalyzer())
              .setMergeScheduler(new SerialMergeScheduler());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < texts.size(); i++) {
          writer.addDocument(document(i));
          if ((i + 1) % (texts.size() / COMMITS) == 0) {
            writer.commit();
          }
        }
      }
    }

    private Document document(int number) {
      Document document = new Document();
      document.add(new StringField("id", String.valueOf(number), Field.Store.YES));
      document.add(new IntPoint("number", number));
      document.add(new NumericDocValuesField("order", Integer.reverse(number)));
      document.add(new TextField("text", texts.get(number), Field.Store.YES));
      return document;
    }

    final void search(DirectoryReader reader) throws IOException {
      IndexSearcher searcher = new IndexSearcher(reader);
      Query query = query();
      TopDocs found =
          random.nextBoolean()
              ? searcher.search(query, HITS)
              : searcher.search(query, HITS, BY_ORDER);
      for (ScoreDoc hit : found.scoreDocs) {
        if (searcher.storedFields().document(hit.doc).get("text").isEmpty()) {
          throw new IllegalStateException("document " + hit.doc + " has no text");
        }
      }
    }

    private Query query() {
      return new BooleanQuery.Builder()
          .add(new TermQuery(new Term("text", word())), Occur.SHOULD)
          .add(new TermQuery(new Term("text", word())), Occur.SHOULD)
          .add(IntPoint.newRangeQuery("number", 0, texts.size() / 2), Occur.FILTER)
          .build();
    }

    abstract void once() throws IOException;

    @Override
    public void times(int operations) {
      try {
        for (int i = 0; i < operations; i++) {
          once();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Indexings extends Index {
    Indexings(String kind, int documents) {
      super(kind, documents);
    }

    @Override
    public int chunk() {
      return 1;
    }

    @Override
    void once() throws IOException {
      try (Store store = open()) {
        writeAll(store.directory);
      }
    }
  }

  /** An index that is read again and again. */
  private abstract static class Readings extends Index {
    private final Store store;

    Readings(String kind, int documents) {
      super(kind, documents);
      try {
        store = open();
        writeAll(store.directory);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    final DirectoryReader read() throws IOException {
      return DirectoryReader.open(store.directory);
    }

    @Override
    public void end() {
      try {
        store.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Reopenings extends Readings {
    Reopenings(String kind, int documents) {
      super(kind, documents);
    }

    @Override
    void once() throws IOException {
      try (DirectoryReader reader = read()) {
        search(reader);
      }
    }
  }

  private static final class Searches extends Readings {
    private final DirectoryReader reader;

    Searches(String kind, int documents) {
      super(kind, documents);
      try {
        reader = read();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    void once() throws IOException {
      search(reader);
    }

    @Override
    public void end() {
      try {
        reader.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      super.end();
    }
  }

  /**
   * A directory of its own: {@code offcut-lucene} and {@code offcut-mapped} are ours, {@code
   * lucene-mmap} and {@code lucene-heap} those of Lucene.
   */
  private record Store(Directory directory, List<AutoCloseable> beside) implements AutoCloseable {
    static Store of(String kind) throws IOException {
      return switch (kind) {
        case "offcut-lucene" -> {
          MemoryPool pool = MemoryPool.named("bench").create();
          yield new Store(PoolDirectory.on(pool.owner()), List.of(pool));
        }
        case "lucene-heap" -> new Store(new ByteBuffersDirectory(), List.of());
        case "offcut-mapped", "lucene-mmap" -> {
          Path folder = Files.createTempDirectory("offcut-bench-lucene");
          Directory directory =
              kind.equals("lucene-mmap") ? new MMapDirectory(folder) : MappedDirectory.on(folder);
          yield new Store(directory, List.of(() -> delete(folder)));
        }
        default -> throw new IllegalArgumentException("no directory " + kind);
      };
    }

    private static void delete(Path folder) throws IOException {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }

    @Override
    public void close() throws IOException {
      directory.close();
      for (AutoCloseable each : beside) {
        try {
          each.close();
        } catch (IOException | RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IOException(e);
        }
      }
    }
  }
}
