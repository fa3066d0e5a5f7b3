package dev.offcut.apps;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** Lucene: documents are indexed, and the index is searched through files mapped in arenas. */
public final class FullTextSearch {
  private static final int DOCUMENTS = 4_000;
  private static final int WORDS = 40;
  private static final int VOCABULARY = 2_000;

  /** So that there are several segments, with mapped files of their own. */
  private static final int DOCUMENTS_A_COMMIT = 500;

  private static final int QUERIES = 400;
  private static final int HITS = 10;

  private final SplittableRandom random = new SplittableRandom(8246633);

  private FullTextSearch() {}

  /** {@code [TIMES]}: each time an index of its own. */
  public static void main(String[] args) throws IOException {
    int times = Times.of(args);
    for (int i = 0; i < times; i++) {
      String said = new FullTextSearch().indexAndSearch();
      if (i == 0) {
        System.out.println(said);
      }
    }
    System.out.println("searched " + times + " indexes");
  }

  private String indexAndSearch() throws IOException {
    try (Scratch scratch = Scratch.create();
        Directory directory = new MMapDirectory(scratch.path())) {
      index(directory);
      return search(directory);
    }
  }

  private void index(Directory directory) throws IOException {
    try (StandardAnalyzer analyzer = new StandardAnalyzer();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        writer.addDocument(document(i));
        if (i % DOCUMENTS_A_COMMIT == DOCUMENTS_A_COMMIT - 1) {
          writer.commit();
        }
      }
      writer.deleteDocuments(new Term("id", "7"));
    }
  }

  private Document document(int number) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      text.append(word()).append(' ');
    }
    Document document = new Document();
    document.add(new StringField("id", String.valueOf(number), Field.Store.YES));
    document.add(new IntPoint("number", number));
    document.add(new TextField("text", text.toString(), Field.Store.YES));
    return document;
  }

  /** Rare and common ones, as in a language. */
  private String word() {
    return "w" + random.nextInt(1 + random.nextInt(VOCABULARY));
  }

  private String search(Directory directory) throws IOException {
    long total = 0;
    long fingerprint = 0;
    for (int round = 0; round < QUERIES / 100; round++) {
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        for (int i = 0; i < 100; i++) {
          TopDocs found = searcher.search(query(), HITS, Sort.INDEXORDER);
          total += found.scoreDocs.length;
          fingerprint = 31 * fingerprint + fingerprint(searcher, found);
        }
      }
    }
    return QUERIES + " queries, " + total + " hits shown, fingerprint " + fingerprint;
  }

  private Query query() {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("text", word())), Occur.SHOULD)
        .add(new TermQuery(new Term("text", word())), Occur.SHOULD)
        .add(IntPoint.newRangeQuery("number", 0, DOCUMENTS / 2), Occur.FILTER)
        .build();
  }

  private static long fingerprint(IndexSearcher searcher, TopDocs found) throws IOException {
    long sum = 0;
    for (ScoreDoc hit : found.scoreDocs) {
      sum += searcher.storedFields().document(hit.doc).get("text").hashCode();
    }
    return sum;
  }
}
