package dev.offcut.lucene;

import dev.offcut.memory.ClosedOwnerException;
import dev.offcut.memory.ClosedPoolException;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.Owner;
import dev.offcut.memory.Reservation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.ReadAdvice;
import org.jspecify.annotations.Nullable;

/**
 * An {@link MMapDirectory} of Lucene 9.12 or 10 that ends the mapping of each file within a second
 * after its input is closed.
 *
 * <pre>{@code
 * try (MappedDirectory directory = MappedDirectory.on(Path.of("index"));
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   new IndexSearcher(reader).search(query, 10);
 * }
 * }</pre>
 *
 * <p>{@code MMapDirectory} maps the files of a segment for one arena, so the mapping of a deleted
 * file stays until all files of its segment are closed. Here each file has an arena of its own,
 * which all of its inputs share, and one thread of the JVM closes those of files whose inputs are
 * closed: no close of an input waits for a handshake of all threads, unless hundreds are waiting. A
 * file that is opened again before that keeps its mapping. Each input of a file of 16 GiB or more,
 * which Lucene maps in several parts, has a mapping and an arena of its own. Everything else is as
 * in {@code MMapDirectory}: how files are read, the advice to the system, preloading.
 *
 * <p><b>Ownership.</b> An input belongs to whoever opened it, as always in Lucene, and may be used
 * after the directory was closed.
 *
 * <p><b>Threads.</b> Any thread.
 *
 * <p><b>Failures.</b> A use of an input after its close throws an {@link
 * org.apache.lucene.store.AlreadyClosedException}; a clone of it may read the file's bytes until a
 * second after the last input of the file was closed, then throws the same. {@link #openInput}
 * throws an {@link IOException} if the system maps no more files, or if a limit of the owner would
 * be exceeded.
 */
public final class MappedDirectory extends MMapDirectory {
  /** Asks whether memory is for any thread. It never runs. */
  private static final Thread ANY_OTHER = Thread.ofPlatform().unstarted(() -> {});

  private final @Nullable Owner owner;

  /** The last mapping of each name, while it has inputs or waits to be ended. */
  private final Map<String, Mapping> mappings = new ConcurrentHashMap<>();

  /** Another object for each change of how files are mapped. */
  private volatile Object settings = new Object();

  private MappedDirectory(Path path, @Nullable Owner owner, long partBytes) throws IOException {
    super(path, FSLockFactory.getDefault(), partBytes);
    super.setGroupingFunction(NO_GROUPING);
    this.owner = owner;
  }

  /**
   * Opens a directory.
   *
   * @param path the folder; it is made if it is missing
   * @return the directory; the caller closes it
   * @throws IOException if the folder cannot be made
   * @throws UnsupportedOperationException if this version of Lucene is not known
   */
  public static MappedDirectory on(Path path) throws IOException {
    return open(path, null, DEFAULT_MAX_CHUNK_SIZE);
  }

  /**
   * Opens a directory whose mapped bytes are charged to an owner, until each mapping has ended.
   * Snapshots of the pool show them as {@code external}.
   *
   * @param path the folder; it is made if it is missing
   * @param owner whom mapped files are charged to
   * @return the directory; the caller closes it
   * @throws IOException if the folder cannot be made
   * @throws UnsupportedOperationException if this version of Lucene is not known
   */
  public static MappedDirectory on(Path path, Owner owner) throws IOException {
    return open(path, owner, DEFAULT_MAX_CHUNK_SIZE);
  }

  /** Lucene's own tests want small parts, too. */
  static MappedDirectory open(Path path, @Nullable Owner owner, long partBytes) throws IOException {
    try {
      return new MappedDirectory(path, owner, partBytes);
    } catch (LinkageError e) {
      throw Proof.unknown("its MMapDirectory does not map each file for itself: " + e, e);
    }
  }

  /**
   * Refuses: each file has an arena of its own here.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public void setGroupingFunction(Function<String, Optional<String>> function) {
    throw new UnsupportedOperationException(
        "a MappedDirectory maps each file for itself: use MMapDirectory to map several for one arena");
  }

  /**
   * Counts for files that are opened from now on.
   *
   * @param preload as in {@code MMapDirectory}
   */
  @Override
  public void setPreload(BiPredicate<String, IOContext> preload) {
    super.setPreload(preload);
    settings = new Object();
  }

  /**
   * Counts for files that are opened from now on. Lucene 9.12 has no such method.
   *
   * @param advice as in {@code MMapDirectory}
   */
  @Override
  public void setReadAdvice(BiFunction<String, IOContext, Optional<ReadAdvice>> advice) {
    super.setReadAdvice(advice);
    settings = new Object();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    ensureCanRead(name);
    // Before it is mapped: a file that replaces it meanwhile has others.
    BasicFileAttributes file =
        Files.readAttributes(directory.resolve(name), BasicFileAttributes.class);
    Object settingsNow = settings;
    Mapping there = mappings.get(name);
    return there != null && there.fits(context, settingsNow, file) && there.tryOpen()
        ? MappedInput.of(there)
        : map(name, context, settingsNow, file);
  }

  private IndexInput map(
      String name, IOContext context, Object settingsNow, BasicFileAttributes file)
      throws IOException {
    Reservation charge = charge(name, file.size());
    boolean isMapped = false;
    try {
      IndexInput input = super.openInput(name, context);
      isMapped = true;
      if (isConfined(input)) {
        return MappedInput.confined(input, charge);
      }
      Mapping mapping = new Mapping(this, name, context, settingsNow, file, input, charge);
      // If there are several parts, Lucene's clones share their array, and whoever closes a clone
      // empties it for all: such a mapping has one input.
      if (file.size() < getMaxChunkSize()) {
        mappings.put(name, mapping);
      }
      return MappedInput.of(mapping);
    } finally {
      if (!isMapped && charge != null) {
        charge.close();
      }
    }
  }

  /** Whether the thread that opened it must close it, or may do so at no cost. */
  private static boolean isConfined(IndexInput input) throws IOException {
    if (input.length() == 0) {
      return true;
    }
    MemorySegment first =
        input instanceof MemorySegmentAccessInput memory ? memory.segmentSliceOrNull(0, 1) : null;
    return first != null && !first.isAccessibleBy(ANY_OTHER);
  }

  private @Nullable Reservation charge(String name, long bytes) throws IOException {
    if (owner == null || bytes == 0) {
      return null;
    }
    try {
      try {
        return owner.reserve(bytes);
      } catch (MemoryLimitException e) {
        Endings.OF_ALL.endAll(); // what waits makes room
        return owner.reserve(bytes);
      }
    } catch (MemoryLimitException | ClosedPoolException | ClosedOwnerException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new IOException(name + " cannot be mapped: " + reason, e);
    }
  }

  /** A mapping that ends: no input takes it any more. */
  void forget(String name, Mapping mapping) {
    mappings.remove(name, mapping);
  }

  /** Ends a file: soon, or now if the directory is closed. */
  void end(Endings.Ending file) {
    if (isOpen || !file.tryEnd()) {
      Endings.OF_ALL.add(file);
      if (!isOpen) {
        Endings.OF_ALL.endAllOf(this); // close() may have looked before the add
      }
    }
  }

  /** Closes the directory, and ends the mappings of inputs that are closed. */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // no arena is closed under a lock
  public void close() throws IOException {
    super.close();
    Endings.OF_ALL.endAllOf(this);
  }
}
