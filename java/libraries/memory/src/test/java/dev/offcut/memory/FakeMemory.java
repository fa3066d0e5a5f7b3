package dev.offcut.memory;

/** The system's memory, which refuses what a test tells it to. */
final class FakeMemory implements NativeMemory {
  private final NativeMemory real = NativeMemory.ofThisSystem();
  long reservable = Long.MAX_VALUE;
  int pageBytes = real.pageBytes();
  boolean refusesDiscard;

  /** Bytes of address space that were asked for. */
  long reserved;

  long discarded;

  /** Calls of {@link #discard} that were not refused. */
  long discards;

  /** Called when address space was released. */
  Runnable onRelease = () -> {};

  FakeMemory() {}

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public long reserve(long bytes, long alignment) {
    if (bytes > reservable) {
      return 0;
    }
    reservable -= bytes;
    reserved += bytes;
    return real.reserve(bytes, alignment);
  }

  @Override
  public void release(long address, long bytes) {
    reservable += bytes;
    real.release(address, bytes);
    onRelease.run();
  }

  /** As a system with such pages: it refuses what begins within one, and rounds lengths up. */
  private void checkPages(long address, long bytes) {
    if (address % pageBytes != 0 || bytes % pageBytes != 0) {
      throw new AssertionError(bytes + " bytes at 0x" + Long.toHexString(address) + ": no pages");
    }
  }

  @Override
  public boolean discard(long address, long bytes) {
    checkPages(address, bytes);
    if (refusesDiscard) {
      return false;
    }
    discarded += bytes;
    discards++;
    return real.discard(address, bytes);
  }

  @Override
  public boolean protect(long address, long bytes, boolean accessible) {
    checkPages(address, bytes);
    return real.protect(address, bytes, accessible);
  }

  @Override
  public void clear(long address, long bytes) {
    real.clear(address, bytes);
  }

  @Override
  public long resident(long address, long bytes) {
    return real.resident(address, bytes);
  }
}
