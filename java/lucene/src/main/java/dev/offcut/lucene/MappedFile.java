package dev.offcut.lucene;

import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.Owner;
import dev.offcut.memory.Reservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A mapped file. Each input has a mapping of its own, which ends when the input is closed. */
final class MappedFile extends FileBytes {
  /** Of prefetches that are left out after the file was found in memory. */
  private static final int MOST_SKIPPED = 256;

  private final long address;
  private final long bytes;
  private final @Nullable Reservation charge;

  // How many prefetches to leave out, now and the next time. Plain: threads that overwrite each
  // other's numbers ask the system once too often or once too little.
  private int skips;
  private int nextSkips;

  private MappedFile(
      String name,
      Scopes scopes,
      int partBits,
      long address,
      long bytes,
      @Nullable Reservation charge) {
    super(name, scopes, partBits);
    this.address = address;
    this.bytes = bytes;
    this.charge = charge;
  }

  /** Maps a file, and charges its bytes to an owner, if there is one. */
  static MappedFile map(Path path, Scopes scopes, int partBits, @Nullable Owner owner)
      throws IOException {
    String name = String.valueOf(path.getFileName());
    long bytes = Files.size(path);
    Reservation charge = bytes == 0 || owner == null ? null : charge(name, bytes, scopes, owner);
    boolean mapped = false;
    try {
      long address = bytes == 0 ? 0 : Mappings.map(path, bytes);
      MappedFile file = new MappedFile(name, scopes, partBits, address, bytes, charge);
      mapped = true;
      return file;
    } finally {
      if (!mapped && charge != null) {
        charge.close();
      }
    }
  }

  private static Reservation charge(String name, long bytes, Scopes scopes, Owner owner)
      throws IOException {
    try {
      try {
        return owner.reserve(bytes);
      } catch (MemoryLimitException e) {
        scopes.turn(); // closed files may wait for it
        return owner.reserve(bytes);
      }
    } catch (RuntimeException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new IOException(name + " cannot be mapped: " + reason, e);
    }
  }

  @Override
  long length() {
    return bytes;
  }

  @Override
  long addressOf(int part) {
    return address + ((long) part << partBits());
  }

  @Override
  void inputClosed() {
    end();
  }

  /**
   * What is in memory need not be read. To ask the system takes a call, so a file that was found in
   * memory is not looked at for the next calls: for twice as many each time.
   */
  @Override
  void prefetch(long offset, long count) {
    if (count == 0 || skips-- > 0) {
      return;
    }
    if (Mappings.isResident(address + offset)) {
      nextSkips = Math.min(Math.max(2 * nextSkips, 1), MOST_SKIPPED);
      skips = nextSkips;
    } else {
      nextSkips = 0;
      skips = 0;
      Mappings.willNeed(address + offset, count);
    }
  }

  @Override
  void release() {
    if (bytes != 0) {
      Mappings.unmap(address, bytes);
    }
    if (charge != null) {
      charge.close();
    }
  }
}
