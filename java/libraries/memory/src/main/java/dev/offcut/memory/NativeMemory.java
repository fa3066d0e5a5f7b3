package dev.offcut.memory;

/** What the pool asks of the operating system: address space, and pages back. */
interface NativeMemory {
  /** The operating system's, or an error that says what is needed. */
  static NativeMemory ofThisSystem() {
    return LinuxMemory.instance();
  }

  int pageBytes();

  /** Reserves address space that costs nothing until it is touched; 0 if there is none. */
  long reserve(long bytes, long alignment);

  /** Gives reserved address space back, whole. */
  void release(long address, long bytes);

  /** Gives the pages back; whoever touches them again finds zeros. False if the system refuses. */
  boolean discard(long address, long bytes);

  /** Forbids every access, or allows it again. False if the system refuses. */
  boolean protect(long address, long bytes, boolean accessible);

  void clear(long address, long bytes);

  long resident(long address, long bytes);
}
