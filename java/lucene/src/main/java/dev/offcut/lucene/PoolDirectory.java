package dev.offcut.lucene;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.Owner;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * the pool when the file is deleted and its last input is closed: at once if nobody can have a
 * segment of it, otherwise within a second. {@link #close} gives back all memory. Close the
 * directory before the pool.
 *
 * <p><b>Threads.</b> Any thread, as with all directories of Lucene.
 *
 * <p><b>Failures.</b> If a limit of the owner or of the pool would be exceeded, or the pool was
 * closed, a write throws an {@link IOException}, as at a full disk: what was committed before stays
 * readable. A use after a close throws an {@link org.apache.lucene.store.AlreadyClosedException}; a
 * clone of a closed input may still read the file's bytes for a second, and never other memory.
 */
public final class PoolDirectory extends BaseDirectory {
  /**
   * Larger parts are crossed less often; of smaller ones less is taken ahead while a file grows.
   */
  private static final int PART_BITS = 22;

  private final Owner owner;
  private final BlockHeap heap;
  private final Scopes scopes;
  private final int partBits;
  private final ConcurrentHashMap<String, PoolFile> files = new ConcurrentHashMap<>();
  private final AtomicLong temporaryFiles = new AtomicLong();

  private PoolDirectory(Owner owner, int partBits) {
    super(new SingleInstanceLockFactory());
    this.owner = owner;
    this.partBits = partBits;
    BlockHeap opened = owner.openHeap();
    heap = opened;
    scopes = new Scopes(() -> Memory.scopeKeeping(opened));
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
      Proof.check(directory, directory.heap, directory.scopes::turn);
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

  /** {@return the bytes of all blocks that files have} */
  public long usedBytes() {
    return heap.usedBytes();
  }

  Scopes scopes() {
    return scopes;
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

  private NoSuchFileException missing(String name) {
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
    PoolFile file = new PoolFile(name, scopes, heap, partBits);
    if (files.putIfAbsent(name, file) != null) {
      return null;
    }
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
    PoolFile file = file(name);
    if (!file.addInput()) {
      throw new AccessDeniedException(name, null, "it is still being written");
    }
    return MemoryInput.open("PoolInput(" + name + " in " + this + ")", file);
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  /**
   * Closes the directory, deletes its files, and gives their memory back to the pool. Inputs and
   * outputs that are still open can be used no more. Further calls do nothing.
   *
   * @throws IllegalStateException if a native call uses a segment of a file; the directory is
   *     closed, and a further call gives back the memory
   */
  @Override
  public synchronized void close() {
    isOpen = false;
    for (PoolFile file : files.values()) {
      file.end();
    }
    files.clear();
    scopes.turn();
    if (scopes.waiting() > 0) {
      throw new IllegalStateException(
          this
              + " keeps "
              + usedBytes()
              + " bytes: a native call uses a segment of a file. Close it again after the call");
    }
    heap.freeAll();
    heap.close();
  }

  @Override
  public String toString() {
    return "the directory of " + owner;
  }
}
