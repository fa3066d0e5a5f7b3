package dev.offcut.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.ReadAdvice;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedDirectoryTest {
  private static final int LONGS = 20_000;

  /** Files that are opened in turn, so that some wait while others are open. */
  private static final int FILES = 32;

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
        Endings.OF_ALL.endAllOf(mapped);
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
  void mappings_ofManyClosedInputs_areFewAndThenNone() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      FilesThatEnd.write(directory, "a", 1, 0);
      IndexInput open = directory.openInput("a", IOContext.DEFAULT);
      for (int i = 0; i < 1_000; i++) {
        FilesThatEnd.write(directory, "a" + i, 1, i);
        try (IndexInput input = directory.openInput("a" + i, IOContext.DEFAULT)) {
          assertThat(input.readLong()).isEqualTo(i);
        }
      }
      assertThat(mappings(path)).hasSizeLessThanOrEqualTo(2 * Endings.MOST_WAITING + 1);
      FilesThatEnd.join();
      assertThat(mappings(path)).hasSize(1);
      assertThat(open.readLong()).isZero();
      open.close();
    }
    assertThat(mappings(path)).isEmpty();
  }

  @Test
  void mappings_ofDeletedFiles_endByThemselves() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      for (int i = 0; i < 100; i++) {
        write(directory, "a" + i);
        IndexInput input = directory.openInput("a" + i, IOContext.DEFAULT);
        directory.deleteFile("a" + i);
        assertThat(input.readLong()).isZero();
        input.close();
      }
      FilesThatEnd.join();
      assertThat(mappings(path)).isEmpty();
    }
  }

  @Test
  void close_ofAnInputForOneThread_endsItsMappingAtOnce() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      write(directory, "a");
      try (IndexInput input = directory.openInput("a", IOContext.READONCE)) {
        assertThat(input.readLong()).isZero();
        assertThat(mappings(path)).hasSize(1);
        CompletableFuture.runAsync(
                () -> {
                  assertThatThrownBy(input::readLong).isInstanceOf(WrongThreadException.class);
                  assertThatThrownBy(input::close).isInstanceOf(WrongThreadException.class);
                })
            .join();
        assertThat(input.readLong()).isOne();
      }
      assertThat(mappings(path)).isEmpty();
    }
  }

  @Test
  void close_ofADirectory_leavesOpenInputs() throws Exception {
    MappedDirectory directory = MappedDirectory.on(path);
    write(directory, "a");
    IndexInput input = directory.openInput("a", IOContext.DEFAULT);
    IndexInput clone = input.clone();
    directory.openInput("a", IOContext.DEFAULT).close();
    directory.close();
    assertThat(mappings(path)).hasSize(1);
    assertThat(input.readLong()).isZero();
    assertThat(clone.readLong()).isZero();
    input.close();
    input.close();
    assertThat(mappings(path)).isEmpty();
    assertThatThrownBy(clone::readLong).isInstanceOf(AlreadyClosedException.class);
    assertThatThrownBy(input::readLong)
        .isInstanceOf(AlreadyClosedException.class)
        .hasMessage(input + " is closed");
    assertThatThrownBy(input::clone).isInstanceOf(AlreadyClosedException.class);
  }

  @Test
  void openInput_ofAFileThatWaitsToEnd_takesItsMappingBack() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      write(directory, "a");
      IndexInput first = directory.openInput("a", IOContext.DEFAULT);
      List<String> mapped = mappings(path);
      first.seek(80);
      first.close();
      IndexInput second = directory.openInput("a", IOContext.DEFAULT);
      Endings.OF_ALL.endAllOf(directory);
      assertThat(mappings(path)).isEqualTo(mapped).hasSize(1);
      assertThat(second.readLong()).isZero();
      assertThatThrownBy(first::readLong).isInstanceOf(AlreadyClosedException.class);
      second.close();
      Endings.OF_ALL.endAllOf(directory);
      assertThat(mappings(path)).isEmpty();
      try (IndexInput third = directory.openInput("a", IOContext.DEFAULT)) {
        assertThat(third.readLong()).isZero();
      }
      FilesThatEnd.join();
      assertThat(mappings(path)).isEmpty();
    }
  }

  @Test
  void openInput_ofAFileThatIsOpen_sharesItsMapping() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      write(directory, "a");
      IndexInput first = directory.openInput("a", IOContext.DEFAULT);
      IndexInput second = directory.openInput("a", IOContext.DEFAULT);
      assertThat(mappings(path)).hasSize(1);
      first.seek(80);
      assertThat(second.readLong()).isZero();
      assertThat(first.readLong()).isEqualTo(10);
      first.close();
      first.close();
      Endings.OF_ALL.endAllOf(directory);
      assertThat(second.readLong()).isOne();
      second.close();
      Endings.OF_ALL.endAllOf(directory);
      assertThat(mappings(path)).isEmpty();
    }
  }

  /** Some of Lucene's own codecs close clones, though they need not. */
  @Test
  void close_ofAClone_leavesOtherInputsOfItsFile() throws Exception {
    for (int partBytes : new int[] {64, 1 << 20}) {
      try (MappedDirectory directory = MappedDirectory.open(path, null, partBytes)) {
        write(directory, "a" + partBytes);
        try (IndexInput first = directory.openInput("a" + partBytes, IOContext.DEFAULT);
            IndexInput second = directory.openInput("a" + partBytes, IOContext.DEFAULT)) {
          List<Object> all = all(second);
          first.clone().close();
          second.seek(0);
          assertThat(all(second)).as("parts of %,d bytes", partBytes).isEqualTo(all);
          try (IndexInput third = directory.openInput("a" + partBytes, IOContext.DEFAULT)) {
            assertThat(all(third)).as("parts of %,d bytes", partBytes).isEqualTo(all);
          }
        }
      }
    }
  }

  /** Which mapping of a file is new: each of these would differ from the one that is there. */
  @Test
  void openInput_ofAnotherFileOrInAnotherWay_mapsAnew() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      write(directory, "a");
      IndexInput old = directory.openInput("a", IOContext.DEFAULT);
      try (IndexOutput output = directory.createOutput("b", IOContext.DEFAULT)) {
        for (int i = 0; i < LONGS; i++) {
          output.writeLong(-1);
        }
      }
      Files.setLastModifiedTime(path.resolve("b"), Files.getLastModifiedTime(path.resolve("a")));
      Files.move(path.resolve("b"), path.resolve("a"), StandardCopyOption.REPLACE_EXISTING);
      IndexInput replaced = directory.openInput("a", IOContext.DEFAULT);
      assertThat(replaced.readLong()).isEqualTo(-1);
      assertThat(old.readLong()).isZero();

      FileTime time = Files.getLastModifiedTime(path.resolve("a"));
      Files.write(path.resolve("a"), new byte[8], StandardOpenOption.APPEND);
      Files.setLastModifiedTime(path.resolve("a"), time);
      IndexInput longer = directory.openInput("a", IOContext.DEFAULT);
      assertThat(longer.length()).isEqualTo(8 * LONGS + 8);
      assertThat(mappings(path)).hasSize(3);

      Files.setLastModifiedTime(path.resolve("a"), FileTime.fromMillis(0));
      IndexInput changed = directory.openInput("a", IOContext.DEFAULT);
      assertThat(mappings(path)).hasSize(4);

      directory.setPreload(MMapDirectory.ALL_FILES);
      IndexInput preloaded = directory.openInput("a", IOContext.DEFAULT);
      assertThat(mappings(path)).hasSize(5);
      for (IndexInput each : List.of(old, replaced, longer, changed, preloaded)) {
        each.close();
      }
      FilesThatEnd.join();
      assertThat(mappings(path)).isEmpty();
    }
  }

  @Test
  void openInput_withOtherAdvice_mapsAnew() throws Exception {
    assumeThat(Version.LATEST.major).as("9.12 has no such methods").isGreaterThan(9);
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      write(directory, "a");
      IndexInput first = directory.openInput("a", IOContext.DEFAULT);
      directory.setReadAdvice((name, context) -> Optional.of(ReadAdvice.RANDOM));
      IndexInput second = directory.openInput("a", IOContext.DEFAULT);
      assertThat(mappings(path)).hasSize(2);
      IndexInput merged = directory.openInput("a", IOContext.merge(new MergeInfo(1, 1, false, 1)));
      assertThat(mappings(path)).hasSize(3);
      first.close();
      second.close();
      merged.close();
    }
  }

  @Test
  void openInput_ofADeletedFileThatWaitsToEnd_saysThatItIsMissing() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      write(directory, "a");
      directory.openInput("a", IOContext.DEFAULT).close();
      directory.deleteFile("a");
      assertThatThrownBy(() -> directory.openInput("a", IOContext.DEFAULT))
          .isInstanceOf(NoSuchFileException.class);
      FilesThatEnd.join();
      assertThat(mappings(path)).isEmpty();
    }
  }

  /** No input that was opened reads an ended mapping, however the openings and the ends meet. */
  @Test
  void openInput_whileMappingsEnd_readsItsFile() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      for (int i = 0; i < FILES; i++) {
        FilesThatEnd.write(directory, "a" + i, 2, i);
      }
      AtomicBoolean isOver = new AtomicBoolean();
      Thread ending =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!isOver.get()) {
                      Endings.OF_ALL.endAllOf(directory);
                    }
                  });
      try {
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          readers.add(CompletableFuture.runAsync(() -> openAgainAndAgain(directory)));
        }
        readers.forEach(CompletableFuture::join);
      } finally {
        isOver.set(true);
        ending.join();
      }
      FilesThatEnd.join();
      assertThat(mappings(path)).isEmpty();
    }
  }

  private static void openAgainAndAgain(Directory directory) {
    try {
      ArrayDeque<IndexInput> open = new ArrayDeque<>();
      for (int i = 0; i < 200 * FILES; i++) {
        open.add(directory.openInput("a" + i % FILES, IOContext.DEFAULT));
        if (open.size() > FILES / 4) { // what ends too early does so meanwhile
          try (IndexInput oldest = open.remove()) {
            long file = oldest.readLong();
            assertThat(oldest.readLong()).isEqualTo(file + 1);
          }
        }
      }
      for (IndexInput input : open) {
        input.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void setGroupingFunction_isRefused() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path)) {
      assertThatThrownBy(() -> directory.setGroupingFunction(MMapDirectory.GROUP_BY_SEGMENT))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage(
              "a MappedDirectory maps each file for itself: use MMapDirectory to map several for one"
                  + " arena");
    }
  }

  /** Each is opened, read, cloned and closed, and its bytes are compared: all that is delegated. */
  @Test
  void input_ofAFile_readsWhatLucenesOwnReads() throws Exception {
    try (MappedDirectory directory = MappedDirectory.on(path);
        Directory theirs = new MMapDirectory(path)) {
      try (IndexOutput output = directory.createOutput("a", IOContext.DEFAULT)) {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < LONGS; i++) {
          output.writeLong(random.nextLong());
        }
      }
      try (IndexInput our = directory.openInput("a", IOContext.DEFAULT);
          IndexInput their = theirs.openInput("a", IOContext.DEFAULT)) {
        assertThat(all(our)).isEqualTo(all(their));
      }
    }
  }

  private static List<Object> all(IndexInput input) throws IOException {
    byte[] bytes = new byte[3];
    long[] longs = new long[3];
    int[] ints = new int[3];
    float[] floats = new float[3];
    List<Object> read = new ArrayList<>();
    read.add(input.length());
    read.add(input.readByte());
    read.add(input.readShort());
    read.add(input.readInt());
    read.add(input.readLong());
    read.add(input.readVLong());
    input.skipBytes(5);
    read.add(input.getFilePointer());
    input.readBytes(bytes, 0, 3);
    input.readLongs(longs, 0, 3);
    input.readInts(ints, 0, 3);
    input.readFloats(floats, 0, 3);
    read.add(Arrays.toString(bytes) + Arrays.toString(longs));
    read.add(Arrays.toString(ints) + Arrays.toString(floats));
    input.seek(800);
    read.add(input.readVInt());
    read.add(input.clone().readLong());
    read.add(input.slice("slice", 80, 8).readLong());
    read.add(input.randomAccessSlice(88, 8).readLong(0));
    return read;
  }

  @Test
  void openInput_withAnOwner_chargesItUntilTheMappingEnds() throws Exception {
    MemoryPool pool = MemoryPool.named("search").create();
    Owner owner = pool.owner().child("mapped").hardLimit(40 * LONGS).create();
    try (MappedDirectory directory = MappedDirectory.on(path, owner)) {
      List<IndexInput> more = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        write(directory, "a" + i);
      }
      for (int i = 0; i < 5; i++) { // those that wait make room
        directory.openInput("a" + i, IOContext.DEFAULT).close();
      }
      write(directory, "a");
      IndexInput input = directory.openInput("a", IOContext.DEFAULT);
      more.add(directory.openInput("a", IOContext.DEFAULT)); // shares its mapping
      assertThat(pool.snapshot().externalBytes()).isEqualTo(8 * LONGS);
      for (int i = 0; i < 4; i++) {
        more.add(directory.openInput("a" + i, IOContext.DEFAULT));
      }
      assertThatThrownBy(() -> directory.openInput("a4", IOContext.DEFAULT))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("a4 cannot be mapped: ")
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
  void openInput_onAPoolThatWasClosed_saysSo() throws Exception {
    MemoryPool pool = MemoryPool.named("gone").create();
    try (MappedDirectory directory = MappedDirectory.on(path, pool.owner())) {
      write(directory, "a");
      pool.close();
      assertThatThrownBy(() -> directory.openInput("a", IOContext.DEFAULT))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("a cannot be mapped: pool gone is closed");
    }
  }
}
