package dev.offcut.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedDirectoryTest {
  private static final int LONGS = 20_000;

  @TempDir private Path path = Path.of("");

  private static void write(Directory to, String name) throws IOException {
    try (IndexOutput output = to.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < LONGS; i++) {
        output.writeLong(i);
      }
    }
  }

  /** The mappings of files of a folder, by the system. */
  private static List<String> mappings(Path folder) throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(folder + "/")).toList();
    }
  }

  private static long deletedMappings(Path folder) throws IOException {
    return mappings(folder).stream().filter(line -> line.endsWith("(deleted)")).count();
  }

  /**
   * Each update of a field makes new files for the segment, and deletes those of the field's last
   * update. A file of another field, which was updated once, stays open.
   */
  private static long deletedMappingsAfterUpdates(Directory directory, Path folder)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setUseCompoundFile(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      Document document = new Document();
      document.add(new StringField("id", "1", Field.Store.NO));
      document.add(new NumericDocValuesField("price", 0));
      document.add(new NumericDocValuesField("stock", 0));
      writer.addDocument(document);
      writer.commit();
      writer.updateNumericDocValue(new Term("id", "1"), "stock", 1);
      writer.commit();
      DirectoryReader reader = DirectoryReader.open(writer);
      for (int price = 1; price <= 100; price++) {
        writer.updateNumericDocValue(new Term("id", "1"), "price", price);
        DirectoryReader newer = DirectoryReader.openIfChanged(reader);
        if (newer != null) {
          reader.close();
          reader = newer;
        }
      }
      if (directory instanceof MappedDirectory mapped) {
        mapped.scopes().turn();
      }
      long deleted = deletedMappings(folder);
      assertThat(price(reader)).isEqualTo(100);
      reader.close();
      return deleted;
    }
  }

  private static long price(IndexReader reader) throws IOException {
    var prices = reader.leaves().getFirst().reader().getNumericDocValues("price");
    assertThat(prices.advanceExact(0)).isTrue();
    return prices.longValue();
  }

  @Test
  void mappings_ofDeletedFiles_endWhereThoseOfMMapDirectoryPileUp() throws Exception {
    Path theirs = Files.createDirectory(path.resolve("theirs"));
    try (Directory directory = new MMapDirectory(theirs)) {
      assertThat(deletedMappingsAfterUpdates(directory, theirs)).isGreaterThan(50);
    }
    Path ours = Files.createDirectory(path.resolve("ours"));
    try (Directory directory = MappedDirectory.on(ours)) {
      assertThat(deletedMappingsAfterUpdates(directory, ours)).isZero();
    }
    assertThat(mappings(ours)).isEmpty();
  }

  @Test
  void close_ofManyInputs_keepsAFewMappedAndStopsTheThreadsSeldom() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      write(directory, "a");
      IndexInput open = directory.openInput("a", IOContext.DEFAULT);
      for (int i = 0; i < 1_000; i++) {
        try (IndexInput input = directory.openInput("a", IOContext.DEFAULT)) {
          assertThat(input.readLong()).isZero();
        }
        assertThat(open.clone().readLong()).isZero();
        assertThat(mappings(path)).hasSizeLessThanOrEqualTo(Scopes.MOST_WAITING + 1);
      }
      assertThat(directory.scopes().turns()).isBetween(1_000L / Scopes.MOST_WAITING, 100L);
      open.close();
    }
    assertThat(mappings(path)).isEmpty();
  }

  @Test
  void close_ofADirectory_leavesOpenInputs() throws Exception {
    MappedDirectory directory = MappedDirectory.on(path);
    write(directory, "a");
    IndexInput input = directory.openInput("a", IOContext.DEFAULT);
    directory.openInput("a", IOContext.DEFAULT).close();
    directory.close();
    assertThat(mappings(path)).hasSize(1);
    assertThat(input.readLong()).isZero();
    IndexInput clone = input.clone();
    input.close();
    assertThatThrownBy(input::readLong).isInstanceOf(AlreadyClosedException.class);
    directory.scopes().turn();
    assertThat(mappings(path)).isEmpty();
    assertThatThrownBy(clone::readLong)
        .isInstanceOf(AlreadyClosedException.class)
        .hasMessage("a is closed");
    assertThatThrownBy(input::clone).isInstanceOf(AlreadyClosedException.class);
  }

  /**
   * Each reads random places until its file is closed by another thread, and files end meanwhile.
   */
  @Test
  void read_whileFilesAreClosed_seesItsOwnFileOrThatItIsClosed() throws Exception {
    try (MappedDirectory directory = MappedDirectory.open(path, null, 16);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      write(directory, "a");
      for (int round = 0; round < 5; round++) {
        IndexInput input = directory.openInput("a", IOContext.DEFAULT);
        CountDownLatch started = new CountDownLatch(2);
        List<Future<Long>> readers =
            List.of(
                threads.submit(() -> readUntilClosed(input.clone(), started)),
                threads.submit(() -> readUntilClosed(input.clone(), started)));
        started.await();
        for (int i = 0; i < 2 * Scopes.MOST_WAITING; i++) {
          try (IndexInput other = directory.openInput("a", IOContext.DEFAULT)) {
            assertThat(other.readLong()).isZero();
          }
        }
        input.close();
        for (Future<Long> reader : readers) {
          assertThat(reader.get()).isPositive(); // at the latest by the thread that ends files
        }
      }
    }
  }

  private static long readUntilClosed(IndexInput input, CountDownLatch started) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long reads = 0;
    try {
      while (true) {
        int at = random.nextInt(LONGS);
        input.seek(8L * at);
        long read = input.readLong();
        if (read != at) {
          throw new IllegalStateException("read " + read + " at " + at);
        }
        reads++;
        started.countDown();
      }
    } catch (AlreadyClosedException e) {
      return reads;
    }
  }

  @Test
  void openInput_withAnOwner_chargesItUntilTheMappingEnds() throws Exception {
    MemoryPool pool = MemoryPool.named("search").create();
    Owner owner = pool.owner().child("mapped").hardLimit(40 * LONGS).create();
    try (MappedDirectory directory = MappedDirectory.on(path, owner)) {
      write(directory, "a");
      IndexInput input = directory.openInput("a", IOContext.DEFAULT);
      assertThat(pool.snapshot().externalBytes()).isEqualTo(8 * LONGS);
      for (int i = 0; i < 10; i++) { // those that wait make room
        directory.openInput("a", IOContext.DEFAULT).close();
      }
      List<IndexInput> more =
          List.of(
              directory.openInput("a", IOContext.DEFAULT),
              directory.openInput("a", IOContext.DEFAULT),
              directory.openInput("a", IOContext.DEFAULT),
              directory.openInput("a", IOContext.DEFAULT));
      assertThatThrownBy(() -> directory.openInput("a", IOContext.DEFAULT))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("a cannot be mapped: ")
          .hasMessageContaining("the limit of mapped, 800000 bytes, would be exceeded")
          .hasCauseInstanceOf(MemoryLimitException.class);
      for (IndexInput each : more) {
        each.close();
      }
      input.close();
    }
    assertThat(pool.snapshot().externalBytes()).isZero();
    pool.close();
  }

  @Test
  void openInput_ofAFileThatIsMissing_saysSo() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      assertThatThrownBy(() -> directory.openInput("a", IOContext.DEFAULT))
          .isInstanceOf(NoSuchFileException.class);
      directory.createOutput("empty", IOContext.DEFAULT).close();
      try (IndexInput input = directory.openInput("empty", IOContext.DEFAULT)) {
        assertThat(input.length()).isZero();
      }
    }
  }

  @Test
  void map_ofMoreThanThereIs_saysWhatRanOut() throws Exception {
    Path file = Files.writeString(path.resolve("a"), "a");
    assertThatThrownBy(() -> Mappings.map(file, 1L << 60))
        .isInstanceOf(IOException.class)
        .hasMessage(
            file
                + " cannot be mapped, 1152921504606846976 bytes: the process has as many mappings"
                + " as vm.max_map_count allows, or no address space is left");
  }

  @Test
  void openInput_ofAFolderWithAnyName_findsIt() throws Exception {
    Path folder = Files.createDirectory(path.resolve("größe"));
    try (MappedDirectory directory = MappedDirectory.on(folder)) {
      write(directory, "a");
      try (IndexInput input = directory.openInput("a", IOContext.DEFAULT)) {
        assertThat(input.readLong()).isZero();
        ((MemoryInput) input).prefetch(8, 100_000); // 9.12 has none
        assertThat(input.readLong()).isOne();
      }
    }
  }
}
