package dev.offcut.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.Handles;
import dev.offcut.memory.BlockHeap;
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
import java.util.concurrent.CountDownLatch;
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
    Endings.OF_ALL.endAllOf(directory);
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
    Endings.OF_ALL.endAllOf(directory);
    assertThat(directory.usedBytes()).isZero();
    assertThat(pool.snapshot().usedBytes()).isZero();
  }

  @Test
  void deleteFile_thatOneThreadRead_givesItsMemoryBackAtOnce() throws Exception {
    write(directory, "a", 1_000);
    IndexInput input = directory.openInput("a", IOContext.READONCE);
    IndexInput slice = input.slice("slice", 800, 80);
    directory.deleteFile("a");
    assertThat(slice.readLong()).isEqualTo(100);
    assertThat(directory.usedBytes()).isPositive();
    input.close();
    assertThat(directory.usedBytes()).isZero();
    assertThatThrownBy(slice::readLong).isInstanceOf(AlreadyClosedException.class);
  }

  @Test
  void deleteFile_thatNobodyRead_givesItsMemoryBackAtOnce() throws Exception {
    write(directory, "a", 1_000);
    directory.deleteFile("a");
    assertThat(directory.usedBytes()).isZero();
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
    Endings.OF_ALL.endAllOf(directory);
    assertThat(second.readLong()).isZero();
    assertThat(second.readLong()).isOne();
    second.close();
    FilesThatEnd.join();
    assertThat(directory.usedBytes()).isZero();
  }

  @Test
  void readOnce_onAnotherThread_isRefusedInOneSentence() throws Exception {
    write(directory, "a", 10);
    IndexInput input = directory.openInput("a", IOContext.READONCE);
    String refusal =
        "a was opened with IOContext.READONCE: only the thread that opened it may use it";
    CompletableFuture.runAsync(
            () -> {
              assertThatThrownBy(input::readLong).hasMessage(refusal);
              assertThatThrownBy(input::close).hasMessage(refusal);
            })
        .join();
    assertThat(input.readLong()).isZero();
    input.close();
    directory.deleteFile("a");
    assertThat(directory.usedBytes()).isZero();
  }

  /** Across the border of two parts, and at the end. */
  @Test
  void read_ofAFileInTwoParts_isThatOfOne() throws Exception {
    int longs = MIB;
    write(directory, "a", longs);
    try (IndexInput whole = open("a")) {
      IndexInput slice = whole.slice("slice", 8 * (longs - 1_000L), 8_000);
      long border = MIB / 2 - 3;
      whole.seek(8 * border + 4);
      whole.skipBytes(4);
      for (int i = 0; i < 6; i++) {
        assertThat(whole.readLong()).isEqualTo(border + i + 1);
        assertThat(slice.readLong()).isEqualTo(longs - 1_000 + i);
        long[] read = new long[10];
        slice.clone().readLongs(read, 0, 10);
        assertThat(read[9]).isEqualTo(longs - 990 + i);
      }
      ((MemoryInput) whole).prefetch(8, 100_000); // 9.12 has none
      assertThat(((MemoryInput) whole).segmentSliceOrNull(0, 8L * longs)).isNull();
    }
  }

  @Test
  void close_withInputsAndOutputs_leavesTheInputsUntilTheyAreClosed() throws Exception {
    write(directory, "a", 4 * MIB / Long.BYTES);
    IndexInput input = open("a");
    IndexInput clone = input.clone();
    IndexInput slice = input.slice("slice", 8, 16);
    write(directory, "read", 100);
    open("read").close();
    IndexOutput output = directory.createOutput("b", IOContext.DEFAULT);
    output.writeBytes(new byte[MIB], MIB);
    directory.close();
    assertThat(directory.usedBytes()).isEqualTo(4 * MIB);
    assertThatThrownBy(() -> output.writeBytes(new byte[MIB], MIB))
        .isInstanceOf(AlreadyClosedException.class)
        .hasMessage("b is deleted");
    assertThatThrownBy(() -> directory.createOutput("c", IOContext.DEFAULT))
        .isInstanceOf(AlreadyClosedException.class);
    assertThatThrownBy(pool::close).isInstanceOf(MemoryInUseException.class);
    assertThat(clone.readLong()).isZero();
    assertThat(slice.readLong()).isOne();
    input.close();
    assertThat(pool.snapshot().usedBytes()).isZero();
    for (IndexInput each : List.of(input, clone, slice)) {
      assertThatThrownBy(each::readByte).isInstanceOf(AlreadyClosedException.class);
      assertThatThrownBy(each::clone).isInstanceOf(AlreadyClosedException.class);
    }
  }

  @Test
  void clone_ofAClosedInput_isClosed() throws Exception {
    write(directory, "a", 10);
    IndexInput input = open("a");
    IndexInput clone = input.clone();
    IndexInput again = open("a");
    input.close();
    assertThatThrownBy(clone::readLong)
        .isInstanceOf(AlreadyClosedException.class)
        .hasMessage("a is closed")
        .hasNoCause();
    assertThat(again.readLong()).isZero(); // the file is there
    again.close();
  }

  /** They find out by themselves, before the arena is closed: none is interrupted by that. */
  @Test
  void read_ofClonesWhileInputsAreClosed_endsWithoutInterrupts() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int round = 0; round < 50; round++) {
        write(directory, "a", 20_000);
        IndexInput input = open("a");
        CountDownLatch reading = new CountDownLatch(2);
        List<Future<AlreadyClosedException>> readers = new ArrayList<>();
        for (int reader = 0; reader < 2; reader++) {
          IndexInput clone = input.clone();
          readers.add(threads.submit(() -> readUntilClosed(clone, reading)));
        }
        reading.await();
        directory.deleteFile("a");
        input.close();
        for (Future<AlreadyClosedException> reader : readers) {
          assertThat(reader.get()).hasMessage("a is closed").hasNoCause();
        }
      }
    }
  }

  private static AlreadyClosedException readUntilClosed(IndexInput input, CountDownLatch reading)
      throws IOException {
    long[] longs = new long[20_000];
    try {
      while (!Thread.currentThread().isInterrupted()) {
        input.seek(0);
        input.readLongs(longs, 0, longs.length);
        assertThat(longs[19_999]).isEqualTo(19_999);
        reading.countDown();
      }
      throw new IllegalStateException("interrupted");
    } catch (AlreadyClosedException e) {
      assertThat(Thread.interrupted()).isFalse();
      return e;
    }
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
    try (IndexInput input = open("a")) {
      assertThat(input.readLong()).isZero();
    }
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
  void segment_thatLuceneAskedFor_livesUntilTheFileEnds() throws Exception {
    write(directory, "a", 100);
    IndexInput input = open("a");
    MemorySegment segment = ((MemorySegmentAccessInput) input).segmentSliceOrNull(80, 80);
    assertThat(segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8)).isEqualTo(11);
    directory.deleteFile("a");
    input.close();
    Endings.OF_ALL.endAllOf(directory);
    assertThat(directory.usedBytes()).isZero();
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void close_whileANativeCallUsesASegment_givesItsMemoryBackAfterTheCall() throws Exception {
    write(directory, "a", MIB / Long.BYTES);
    IndexInput input = open("a");
    MemorySegment segment = ((MemorySegmentAccessInput) input).segmentSliceOrNull(0, MIB);
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
    input.close();
    directory.close();
    assertThat(pool.snapshot().usedBytes()).isPositive();
    long seen = 1;
    while (seen < MIB) {
      seen += pipe.source().read(read.clear());
    }
    assertThat(written.get()).isEqualTo(MIB);
    FilesThatEnd.join();
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
  void open_withAnotherLucene_saysSoAndLeavesNothing() throws Exception {
    try (Directory other = new ByteBuffersDirectory()) {
      BlockHeap heap = owner.openHeap();
      assertThatThrownBy(() -> Proof.check(other, heap, () -> {}))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage(
              "Lucene "
                  + System.getProperty("lucene.expected")
                  + " is not known to Offcut (the pool is not asked for the memory of its files):"
                  + " use Lucene 9.12 or 10, or another directory");
      heap.close();
    }
  }
}
