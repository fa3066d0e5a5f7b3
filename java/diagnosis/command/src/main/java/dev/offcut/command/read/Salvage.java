package dev.offcut.command.read;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A recording of which a reader of Flight Recorder's own can read everything: the file itself if it
 * is whole, else a copy of what of it can be used. Closing it deletes the copy. One thread.
 */
final class Salvage implements AutoCloseable {
  private final Path file;
  private final boolean copied;
  private final boolean complete;

  private Salvage(Path file, boolean copied, boolean complete) {
    this.file = file;
    this.copied = copied;
    this.complete = complete;
  }

  /** Fails if nothing of it can be read. */
  static Salvage of(Path recording) throws Failure, IOException {
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(recording, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size == 0) {
        throw Failure.unreadable(
            recording + " is empty; its program may have been killed before it wrote");
      }
      MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
      List<Chunk> chunks = new ArrayList<>();
      boolean whole = readChunks(recording, bytes, chunks);
      boolean complete = whole && chunks.stream().allMatch(Chunk::complete);
      if (chunks.isEmpty()) {
        throw Failure.unreadable(
            "nothing of "
                + recording
                + " can be read: it was cut off before the first second was written");
      }
      return complete
          ? new Salvage(recording, false, true)
          : new Salvage(copy(channel, chunks), true, false);
    }
  }

  /** Returns whether all of the file was chunks. */
  private static boolean readChunks(Path recording, MemorySegment bytes, List<Chunk> chunks)
      throws Failure {
    if (!Chunk.isAt(bytes, 0)) {
      throw Failure.unreadable(
          recording
              + " is no recording of Flight Recorder, nor the file of a run (*.offcut); SRC is a PID, one"
              + " of these, or a directory of recordings");
    }
    long at = 0;
    while (at < bytes.byteSize() && Chunk.isAt(bytes, at)) {
      int major = Chunk.major(bytes, at);
      if (major > Chunk.MAJOR) {
        throw Failure.unreadable(
            recording
                + " is in version "
                + major
                + " of Flight Recorder's format, this reads "
                + Chunk.MAJOR
                + "; get a newer offcut");
      }
      Chunk chunk = Chunk.read(bytes, at);
      if (chunk == null) {
        return false;
      }
      chunks.add(chunk);
      at = chunk.end();
    }
    return at == bytes.byteSize();
  }

  private static Path copy(FileChannel from, List<Chunk> chunks) throws IOException {
    Path copy = Files.createTempFile(Temporary.folder(), "salvage-", ".jfr");
    try (FileChannel to = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      for (Chunk chunk : chunks) {
        long at = to.position();
        long size = chunk.end() - chunk.at();
        copy(from, chunk.at(), size, to);
        number(to, at + Chunk.SIZE_AT, size);
        number(to, at + Chunk.POOLS_AT, chunk.pools());
        number(to, at + Chunk.METADATA_AT, chunk.metadata());
        to.write(ByteBuffer.wrap(new byte[1]), at + Chunk.STATE_AT);
      }
    }
    return copy;
  }

  private static void copy(FileChannel from, long at, long size, FileChannel to)
      throws IOException {
    long done = 0;
    while (done < size) {
      long moved = from.transferTo(at + done, size - done, to);
      if (moved <= 0) {
        throw new IOException("the recording became shorter while it was read");
      }
      done += moved;
    }
  }

  private static void number(FileChannel to, long at, long value) throws IOException {
    to.write(ByteBuffer.allocate(Long.BYTES).putLong(value).flip(), at);
  }

  Path file() {
    return file;
  }

  /** Whether that is all that was written. */
  boolean isComplete() {
    return complete;
  }

  @Override
  public void close() throws IOException {
    if (copied) {
      Files.deleteIfExists(file);
    }
  }
}
