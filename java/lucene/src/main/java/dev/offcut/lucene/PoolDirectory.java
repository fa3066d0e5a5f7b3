package dev.offcut.lucene;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.Owner;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.jspecify.annotations.Nullable;

/**
 * A directory for Lucene 9.12 and 10 whose files are memory of a pool, and are charged to an owner.
 *
 * <pre>{@code
 * Owner owner = pool.owner().child("products").hardLimit(256 << 20).create();
 * try (PoolDirectory directory = PoolDirectory.on(owner);
 *     IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
 *   writer.addDocument(document);
 * }
 * }</pre>
 *
 * <p><b>Ownership.</b> The pool and the owner belong to the program. A file's memory goes back to
 * the pool when the file is deleted and its last input is closed: at once if it was not read since
 * it was written, or only with {@code IOContext.READONCE}; otherwise within a second. {@link
 * #close} gives back the memory of all files without open inputs before it returns. Close the
 * directory and the inputs before the pool.
 *
 * <p><b>Threads.</b> Any thread, as with all directories of Lucene. An input that was opened with
 * {@code IOContext.READONCE} is for the thread that opened it.
 *
 * <p><b>Failures.</b> If a limit of the owner or of the pool would be exceeded, or the pool was
 * closed, a write throws an {@link IOException}, as at a full disk: what was committed before stays
 * readable. A use after a close throws an {@link org.apache.lucene.store.AlreadyClosedException}.
 */
public final class PoolDirectory extends BaseDirectory {
  /**
   * Larger parts are crossed less often; of smaller ones less is taken ahead while a file grows.
   */
  private static final int PART_BITS = 22;

  private final Owner owner;
  private final BlockHeap heap;
  private final int partBits;
  private final ConcurrentHashMap<String, PoolFile> files = new ConcurrentHashMap<>();
  private final AtomicLong temporaryFiles = new AtomicLong();

  /** Files that have not ended; the directory counts as one until it is closed. */
  private final AtomicInteger heldBy = new AtomicInteger(1);

  private PoolDirectory(Owner owner, int partBits) {
    super(new SingleInstanceLockFactory());
    this.owner = owner;
    this.partBits = partBits;
    heap = owner.openHeap();
  }

  /**
   * Opens an empty directory whose files are charged to an owner.
   *
   * @param owner whom the files are charged to
   * @return the directory; the caller closes it
   * @throws dev.offcut.memory.ClosedOwnerException if the owner is closed
   * @throws dev.offcut.memory.MemoryLimitException if there is no room for a file of 1 KiB
   * @throws UnsupportedOperationException if, with this version of Lucene, files do not get their
   *     memory from the pool; this method then leaves nothing open
   */
  public static PoolDirectory on(Owner owner) {
    return open(owner, PART_BITS);
  }

  /** Lucene's own tests want small parts, too. */
  static PoolDirectory open(Owner owner, int partBits) {
    PoolDirectory directory = new PoolDirectory(owner, partBits);
    boolean proved = false;
    try {
      Proof.check(directory, directory.heap, () -> Endings.OF_ALL.endAllOf(directory));
      proved = true;
    } finally {
      if (!proved) {
        directory.close();
      }
    }
    return directory;
  }

  /** {@return the owner that the files are charged to} */
  public Owner owner() {
    return owner;
  }

  /** {@return the bytes of all blocks of files, with those of deleted files that have not ended} */
  public long usedBytes() {
    return heap.usedBytes();
  }

  /** Ends a file that several threads could read: soon, or now if the directory is closed. */
  void end(Endings.Step file) {
    if (isOpen || !file.tryEnd()) {
      Endings.OF_ALL.add(this, file);
      if (!isOpen) {
        Endings.OF_ALL.endAllOf(this); // close() may have looked before the add
      }
    }
  }

  /** Hears that a file has given its memory back, and closes the heap after the last one. */
  void fileEnded() {
    if (heldBy.decrementAndGet() == 0) {
      heap.close();
    }
  }

  @Override
  public String[] listAll() {
    ensureOpen();
    return files.keySet().stream().sorted().toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    ensureOpen();
    PoolFile file = files.remove(name);
    if (file == null) {
      throw missing(name);
    }
    file.delete();
  }

  @Override
  public long fileLength(String name) throws IOException {
    ensureOpen();
    return file(name).length();
  }

  private PoolFile file(String name) throws IOException {
    PoolFile file = files.get(name);
    if (file == null) {
      throw missing(name);
    }
    return file;
  }

  NoSuchFileException missing(String name) {
    return new NoSuchFileException(name, null, "there is no such file in " + this);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    IndexOutput created = create(name);
    if (created == null) {
      throw new FileAlreadyExistsException(name, null, "it is in " + this + " already");
    }
    return created;
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    ensureOpen();
    while (true) {
      String name = getTempFileName(prefix, suffix, temporaryFiles.getAndIncrement());
      IndexOutput created = create(name);
      if (created != null) {
        return created;
      }
    }
  }

  /** Null if there is a file of this name. */
  private @Nullable IndexOutput create(String name) {
    PoolFile file = new PoolFile(name, this, heap, partBits);
    heldBy.incrementAndGet();
    if (files.putIfAbsent(name, file) != null) {
      fileEnded();
      return null;
    }
    if (!isOpen && files.remove(name, file)) { // a close may have missed it
      file.delete();
    }
    ensureOpen();
    return new PoolOutput("PoolOutput(" + name + " in " + this + ")", file);
  }

  /** Does nothing: there is no disk. */
  @Override
  public void sync(Collection<String> names) {
    ensureOpen();
  }

  /** Does nothing, as above. */
  @Override
  public void syncMetaData() {
    ensureOpen();
  }

  @Override
  public void rename(String from, String to) throws IOException {
    ensureOpen();
    PoolFile file = file(from);
    if (files.putIfAbsent(to, file) != null) {
      throw new FileAlreadyExistsException(to, from, "it is in " + this + " already");
    }
    if (!files.remove(from, file)) {
      files.remove(to, file);
      throw missing(from);
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    Opening opening = file(name).open(context == IOContext.READONCE);
    boolean opened = false;
    try {
      IndexInput input = MemoryInput.open("PoolInput(" + name + " in " + this + ")", opening);
      opened = true;
      return input;
    } finally {
      if (!opened) {
        opening.close();
      }
    }
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  /**
   * Closes the directory, and deletes its files. Their memory is back in the pool when this method
   * returns, but for files that are still read: each goes back when its last input is closed.
   * Further calls do nothing.
   */
  @Override
  public void close() {
    if (isFirstClose()) {
      files.values().forEach(PoolFile::delete);
      files.clear();
      Endings.OF_ALL.endAllOf(this);
      fileEnded();
    }
  }

  private synchronized boolean isFirstClose() {
    boolean isFirst = isOpen;
    isOpen = false;
    return isFirst;
  }

  @Override
  public String toString() {
    return "the directory of " + owner;
  }
}
