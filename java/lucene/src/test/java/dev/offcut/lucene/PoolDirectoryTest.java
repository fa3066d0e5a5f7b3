package dev.offcut.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryInUseException;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolDirectoryTest {
  private static final int MIB = 1 << 20;

  private final MemoryPool pool = MemoryPool.named("search").create();
  private final Owner owner = pool.owner().child("products").hardLimit(24 * MIB).create();
  private final PoolDirectory directory = PoolDirectory.on(owner);

  @AfterEach
  void close() {
    directory.close();
    pool.verify();
    pool.close();
  }

  private static void write(Directory to, String name, int longs) throws IOException {
    try (IndexOutput output = to.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < longs; i++) {
        output.writeLong(i);
      }
    }
  }

  private IndexInput open(String name) throws IOException {
    return directory.openInput(name, IOContext.DEFAULT);
  }

  private static void addDocuments(IndexWriter writer, int from, int count) throws IOException {
    SplittableRandom random = new SplittableRandom(from);
    for (int i = from; i < from + count; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 50; word++) {
        text.append("w").append(random.nextInt(100_000)).append(' ');
      }
      Document document = new Document();
      document.add(new StringField("id", String.valueOf(i), Field.Store.YES));
      document.add(new TextField("text", text.toString(), Field.Store.YES));
      writer.addDocument(document);
    }
  }

  private static IndexWriter writer(Directory directory) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig(new StandardAnalyzer())
            .setRAMBufferSizeMB(1)
            .setMergeScheduler(new SerialMergeScheduler()));
  }

  @Test
  void index_ofAnOwner_isChargedUntilItsFilesAreDeleted() throws Exception {
    try (IndexWriter writer = writer(directory)) {
      addDocuments(writer, 0, 2_000);
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(new IndexSearcher(reader).count(new TermQuery(new Term("id", "77")))).isOne();
      }
    }
    directory.scopes().turn();
    long bytes = 0;
    for (String name : directory.listAll()) {
      bytes += directory.fileLength(name);
    }
    assertThat(directory.usedBytes()).isBetween(bytes, bytes + bytes / 4);
    assertThat(owner.pool().snapshot().toString()).contains("products");
    assertThat(pool.snapshot().usedBytes()).isEqualTo(directory.usedBytes());
    for (String name : directory.listAll()) {
      directory.deleteFile(name);
    }
    directory.scopes().turn();
    assertThat(directory.usedBytes()).isZero();
    assertThat(pool.snapshot().usedBytes()).isZero();
  }

  @Test
  void deleteFile_thatNobodyRead_givesItsMemoryBackAtOnce() throws Exception {
    write(directory, "a", 1_000);
    directory.deleteFile("a");
    assertThat(directory.usedBytes()).isZero();
    assertThat(directory.scopes().turns()).isOne(); // that of the proof
  }

  @Test
  void deleteFile_thatSomebodyReads_givesItsMemoryBackAfterTheLastInput() throws Exception {
    write(directory, "a", 1_000);
    IndexInput first = open("a");
    IndexInput second = open("a");
    directory.deleteFile("a");
    assertThatThrownBy(() -> open("a"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("there is no such file in the directory of");
    first.close();
    directory.scopes().turn();
    assertThat(second.readLong()).isZero();
    assertThat(second.readLong()).isOne();
    second.close();
    assertThat(directory.usedBytes()).isPositive(); // a late clone may read it
    endingThread().join();
    assertThat(directory.usedBytes()).isZero();
  }

  private static Thread endingThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("offcut lucene"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void turn_underOpenInputs_letsThemReadOnWhereTheyWere() throws Exception {
    int longs = MIB; // two parts
    write(directory, "a", longs);
    IndexInput whole = open("a");
    IndexInput slice = whole.slice("slice", 8 * (longs - 1_000L), 8_000);
    long border = MIB / 2 - 3;
    whole.seek(8 * border);
    for (int i = 0; i < 6; i++) {
      endAFile();
      assertThat(whole.readLong()).isEqualTo(border + i);
      assertThat(slice.readLong()).isEqualTo(longs - 1_000 + i);
      endAFile();
      assertThat(whole.clone().readLong()).isEqualTo(border + i + 1);
      long[] read = new long[10];
      slice.clone().readLongs(read, 0, 10);
      assertThat(read[9]).isEqualTo(longs - 990 + i);
    }
    assertThat(directory.scopes().turns()).isEqualTo(13);
    whole.close();
  }

  private void endAFile() throws IOException {
    write(directory, "b", 1);
    open("b").close();
    IndexInput input = open("b");
    long ignored = input.readLong();
    directory.deleteFile("b");
    input.close();
    directory.scopes().turn();
  }

  @Test
  void close_withInputsAndOutputs_endsThemAndGivesAllBack() throws Exception {
    write(directory, "a", 4 * MIB / Long.BYTES);
    IndexInput input = open("a");
    IndexInput clone = input.clone();
    IndexInput slice = input.slice("slice", 8, 16);
    long ignored = clone.readLong();
    IndexOutput output = directory.createOutput("b", IOContext.DEFAULT);
    output.writeBytes(new byte[MIB], MIB);
    directory.close();
    assertThat(pool.snapshot().usedBytes()).isZero();
    for (IndexInput each : List.of(input, clone, slice)) {
      assertThatThrownBy(each::readByte).isInstanceOf(AlreadyClosedException.class);
    }
    assertThatThrownBy(() -> output.writeBytes(new byte[MIB], MIB))
        .isInstanceOf(AlreadyClosedException.class)
        .hasMessage("b is closed");
    assertThatThrownBy(() -> directory.createOutput("c", IOContext.DEFAULT))
        .isInstanceOf(AlreadyClosedException.class);
    input.close();
  }

  @Test
  void clone_ofAClosedInput_isClosedAfterATurn() throws Exception {
    write(directory, "a", 10);
    IndexInput input = open("a");
    IndexInput clone = input.clone();
    input.close();
    assertThat(clone.readLong()).isZero(); // the file is there
    endAFile();
    assertThatThrownBy(clone::readLong)
        .isInstanceOf(AlreadyClosedException.class)
        .hasMessage("a is closed");
  }

  @Test
  void write_aboveTheLimit_isAnIOExceptionThatNamesFileAndOwner() throws Exception {
    try (IndexOutput output = directory.createOutput("a", IOContext.DEFAULT)) {
      byte[] bytes = new byte[MIB];
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 30; i++) {
                  output.writeBytes(bytes, bytes.length);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "no room for \\d+ bytes of a: \\d+ bytes for products of pool search: the limit of"
                  + " products, 25165824 bytes, would be exceeded")
          .hasCauseInstanceOf(MemoryLimitException.class);
    }
    assertThat(directory.fileLength("a")).isEqualTo(24 * MIB);
    directory.deleteFile("a");
    write(directory, "b", 1_000);
  }

  /** As at a full disk: the writer ends, and what was committed stays. */
  @Test
  void index_thatReachesTheLimitInAMerge_keepsWhatWasCommitted() throws Exception {
    Owner small = pool.owner().child("small").hardLimit(4 * MIB).create();
    PoolDirectory limited = PoolDirectory.on(small);
    int committed = 0;
    Throwable failure = null;
    IndexWriter writer = writer(limited);
    try {
      while (committed < 1_000_000) {
        addDocuments(writer, committed, 250);
        writer.commit();
        committed += 250;
        if (committed % 1_000 == 0) {
          writer.forceMerge(1);
        }
      }
    } catch (IOException | IllegalStateException e) {
      failure = e;
    } finally {
      writer.rollback();
    }
    assertThat(failure).hasStackTraceContaining("no room for ");
    assertThat(committed).isGreaterThanOrEqualTo(1_000);
    try (DirectoryReader reader = DirectoryReader.open(limited)) {
      assertThat(reader.numDocs()).isBetween(committed, committed + 250);
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int id = 0; id < committed; id += 97) {
        assertThat(searcher.count(new TermQuery(new Term("id", String.valueOf(id))))).isOne();
      }
    }
    try (IndexWriter again = writer(limited)) {
      again.deleteAll();
      again.commit();
      addDocuments(again, 0, 100);
    }
    limited.close();
    assertThat(small.pool().snapshot().usedBytes()).isZero();
  }

  @Test
  void write_whileDeletedFilesWait_getsTheirMemory() throws Exception {
    for (int i = 0; i < 5; i++) {
      write(directory, "a", MIB);
      IndexInput input = open("a");
      assertThat(input.readLong()).isZero();
      directory.deleteFile("a");
      input.close(); // 8 MiB wait; without a turn the third file has no room
    }
  }

  @Test
  void pool_underADirectoryWithFiles_refusesToClose() throws Exception {
    write(directory, "a", 10);
    assertThatThrownBy(pool::close).isInstanceOf(MemoryInUseException.class);
    assertThatThrownBy(owner::close).isInstanceOf(MemoryInUseException.class);
    assertThat(open("a").readLong()).isZero();
  }

  @Test
  void write_onAPoolThatWasClosedUnderIt_saysSo() throws Exception {
    MemoryPool closed = MemoryPool.named("gone").create();
    PoolDirectory orphan = PoolDirectory.on(closed.owner());
    closed.close();
    IndexOutput output = orphan.createOutput("a", IOContext.DEFAULT);
    output.writeLong(1);
    assertThatThrownBy(output::close)
        .isInstanceOf(IOException.class)
        .hasMessage("a cannot be written: pool gone is closed; nothing can be taken from it");
    orphan.close();
  }

  @Test
  void openInput_ofAFileThatIsBeingWritten_isRefused() throws Exception {
    try (IndexOutput output = directory.createOutput("a", IOContext.DEFAULT)) {
      output.writeLong(1);
      assertThatThrownBy(() -> open("a"))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessage("a: it is still being written");
    }
    open("a").close();
  }

  @Test
  void segment_thatLuceneAskedFor_livesUntilTheFileIsDeleted() throws Exception {
    write(directory, "a", 100);
    IndexInput input = open("a");
    MemorySegment segment = ((MemorySegmentAccessInput) input).segmentSliceOrNull(80, 80);
    endAFile();
    assertThat(segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8)).isEqualTo(11);
    directory.deleteFile("a");
    input.close();
    directory.scopes().turn();
    assertThat(directory.usedBytes()).isZero();
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void close_whileANativeCallUsesASegment_keepsItUntilTheNextClose() throws Exception {
    write(directory, "a", MIB / Long.BYTES);
    MemorySegmentAccessInput input = (MemorySegmentAccessInput) open("a");
    MemorySegment segment = input.segmentSliceOrNull(0, MIB);
    Pipe pipe = Pipe.open();
    CompletableFuture<Integer> written =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return pipe.sink().write(segment.asByteBuffer());
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    ByteBuffer read = ByteBuffer.allocate(4096);
    assertThat(pipe.source().read(read.limit(1))).isOne(); // now it is in the call, which waits
    assertThatThrownBy(directory::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a native call uses a segment of a file");
    assertThat(pool.snapshot().usedBytes()).isPositive();
    long seen = 1;
    while (seen < MIB) {
      seen += pipe.source().read(read.clear());
    }
    assertThat(written.get()).isEqualTo(MIB);
    directory.close();
    assertThat(pool.snapshot().usedBytes()).isZero();
    pipe.source().close();
    pipe.sink().close();
  }

  @Test
  void directory_thatNobodyClosed_losesNothing() throws Exception {
    forget();
    assertThat(Handles.drain(Duration.ofSeconds(10))).isTrue();
    pool.trim();
    assertThat(pool.snapshot().usedBytes()).isZero();
  }

  private void forget() throws IOException {
    PoolDirectory dropped = PoolDirectory.on(owner);
    write(dropped, "a", 10_000);
    IndexInput input = dropped.openInput("a", IOContext.DEFAULT);
    assertThat(input.readLong()).isZero();
    assertThat(pool.snapshot().usedBytes()).isPositive();
  }

  @Test
  void read_whileFilesEnd_seesItsOwnFileOrThatItIsClosed() throws Exception {
    List<Future<Long>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int reader = 0; reader < 6; reader++) {
        String name = "r" + reader;
        write(directory, name, 20_000);
        IndexInput input = open(name);
        readers.add(threads.submit(() -> readUntilClosed(input)));
      }
      for (int i = 0; i < 300; i++) {
        endAFile();
        write(directory, "noise", 20_000); // takes freed memory, and writes something else into it
        directory.deleteFile("noise");
      }
      directory.close();
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isNotNegative();
      }
    }
  }

  private static long readUntilClosed(IndexInput input) {
    SplittableRandom random = new SplittableRandom(1);
    long reads = 0;
    try {
      while (true) {
        int at = random.nextInt(20_000);
        input.seek(8L * at);
        long read = input.readLong();
        if (read != at) {
          throw new IllegalStateException("read " + read + " at " + at);
        }
        reads++;
      }
    } catch (AlreadyClosedException e) {
      return reads;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void proof_ofADirectoryThatTakesOtherMemory_saysWhatToDo() throws Exception {
    try (Directory other = new ByteBuffersDirectory()) {
      assertThatThrownBy(() -> Proof.check(other, owner.openHeap(), () -> {}))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage(
              "Lucene "
                  + System.getProperty("lucene.expected")
                  + " does not keep its files in the pool (the pool is not asked for their"
                  + " memory): use Lucene 9.12 or 10, or another directory");
    }
  }
}
