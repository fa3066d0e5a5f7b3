package dev.offcut.lucene;

import dev.offcut.memory.Owner;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * A directory for Lucene 9.12 and 10 that reads files by mapping them, as {@code MMapDirectory}
 * does, and ends the mapping of each file soon after its input is closed.
 *
 * <pre>{@code
 * try (MappedDirectory directory = MappedDirectory.on(Path.of("index"));
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   new IndexSearcher(reader).search(query, 10);
 * }
 * }</pre>
 *
 * <p>{@code MMapDirectory} maps the files of a segment for one arena, so the mapping of a deleted
 * file stays until the last file of its segment is closed. Here at most 64 closed files of a
 * directory are mapped, and none for more than a second.
 *
 * <p><b>Ownership.</b> An input belongs to whoever opened it, as always in Lucene, and may be used
 * after the directory was closed.
 *
 * <p><b>Threads.</b> Any thread. Ending mappings stops every thread of the JVM for a moment: once
 * for up to 64 files, and at most once a second otherwise.
 *
 * <p><b>Failures.</b> A use after a close throws an {@link
 * org.apache.lucene.store.AlreadyClosedException}; a clone of a closed input may still read the
 * file's bytes for a second. No use after a close crashes, or reads something else. {@link
 * #openInput} throws an {@link IOException} if the system maps no more files, or if a limit of the
 * owner would be exceeded.
 */
public final class MappedDirectory extends FSDirectory {
  /** A file of any disk has one part. */
  private static final int PART_BITS = 46;

  private final Scopes scopes = new Scopes(Arena::ofShared);
  private final @Nullable Owner owner;
  private final int partBits;

  private MappedDirectory(Path path, @Nullable Owner owner, int partBits) throws IOException {
    super(path, FSLockFactory.getDefault());
    this.owner = owner;
    this.partBits = partBits;
  }

  /**
   * Opens a directory.
   *
   * @param path the folder; it is made if it is missing
   * @return the directory; the caller closes it
   * @throws IOException if the folder cannot be made
   */
  public static MappedDirectory on(Path path) throws IOException {
    return open(path, null, PART_BITS);
  }

  /**
   * Opens a directory whose mapped bytes are charged to an owner. Snapshots of the pool show them
   * as {@code external}.
   *
   * @param path the folder; it is made if it is missing
   * @param owner whom mapped files are charged to
   * @return the directory; the caller closes it
   * @throws IOException if the folder cannot be made
   */
  public static MappedDirectory on(Path path, Owner owner) throws IOException {
    return open(path, owner, PART_BITS);
  }

  /** Lucene's own tests want small parts, too. */
  static MappedDirectory open(Path path, @Nullable Owner owner, int partBits) throws IOException {
    return new MappedDirectory(path, owner, partBits);
  }

  Scopes scopes() {
    return scopes;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    ensureCanRead(name);
    Path path = directory.resolve(name);
    MappedFile file = MappedFile.map(path, scopes, partBits, owner);
    return MemoryInput.open("MappedInput(path=\"" + path + "\")", file);
  }

  /** Closes the directory, and ends the mappings of inputs that are closed. */
  @Override
  public synchronized void close() throws IOException {
    super.close();
    scopes.turn();
  }
}
