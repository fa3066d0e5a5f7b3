package dev.offcut.resident;

/**
 * A part of resident memory. Each resident byte belongs to exactly one part. The constants are in
 * the order of a report.
 */
public enum Part {
  /** Objects in the heap of a Go program, those included that no collection has freed yet. */
  GO_OBJECTS("Go heap, objects"),
  /** Resident memory of the Go heap without objects or stacks. */
  GO_FREE("Go heap, free"),
  /** Stacks of goroutines, which are in the Go heap. */
  GO_STACKS("Go stacks"),
  /** The Go heap of a program that does not say how it uses the heap. */
  GO_HEAP("Go heap"),
  /**
   * Tables of the Go runtime. The runtime says how large they are, but not where; known only if the
   * program publishes what its runtime says.
   */
  GO_RUNTIME("Go runtime"),
  /** Objects in the Java heap. */
  HEAP_USED("Java heap, used"),
  /**
   * Resident memory of the Java heap without objects, which the collector has not returned to the
   * system.
   */
  HEAP_FREE("Java heap, free"),
  /**
   * Further mappings of heap pages: a ZGC without generations, the default of JDK 17 to 22, maps a
   * page more than once.
   */
  HEAP_AGAIN("Java heap, mapped again"),
  /** Metadata of classes outside of class space. */
  METASPACE("metaspace"),
  /** The part of class metadata that compressed class pointers can address. */
  CLASS_SPACE("class space"),
  /** Compiled code. */
  CODE_CACHE("code cache"),
  /** The collector's own tables: card table, mark bitmap, remembered sets. */
  GC("garbage collector"),
  /** The archive of class data that the JVM maps when it starts. */
  CLASS_ARCHIVE("class data archive"),
  /** Stacks of all threads, and stacks that the C library keeps for new threads. */
  STACKS("thread stacks"),
  /**
   * Blocks of malloc that the JVM uses for itself; known only if the JVM tracks its native memory.
   */
  MALLOC_JVM("malloc, in use by the JVM"),
  /**
   * Other blocks of malloc in use, by native libraries, by the program, and by a JVM that does not
   * track its native memory.
   */
  MALLOC_USED("malloc, in use"),
  /** Free memory of malloc that {@code malloc_trim} would return to the system. */
  MALLOC_TRIMMABLE("malloc, kept: a trim returns it"),
  /**
   * Free memory of malloc that {@code malloc_trim} would not return, because it is in pages with
   * used blocks or at the end of an arena.
   */
  MALLOC_FRAGMENTED("malloc, kept: a trim leaves it"),
  /** Memory of malloc in which used and free blocks could not be distinguished. */
  MALLOC_UNREAD("malloc, in use or kept"),
  /** Pools of Offcut's library {@code memory}. */
  POOLS("pools"),
  /** Memory of another allocator, such as jemalloc. */
  ALLOCATOR("allocator"),
  /**
   * Memory that no source claims, in a process with another allocator whose tables could not be
   * read.
   */
  ALLOCATOR_UNREAD("allocator, or unexplained"),
  /** Code and data of native libraries and programs. */
  LIBRARIES("native libraries"),
  /** The JDK's archive of its modules. */
  ARCHIVES("archives of classes"),
  /** Files that are mapped for their data, including jars. */
  FILES("mapped files"),
  /** Memory that processes share and that is not a file on a disk. */
  SHARED("shared memory"),

  /** The file in which Offcut's sampler of malloc keeps what it knows. */
  SAMPLES("Offcut's samples"),
  /** Pages that the system maps into each process. */
  SYSTEM("system"),
  /** Anonymous memory that no source claims. */
  UNEXPLAINED("unexplained");

  private final String title;

  Part(String title) {
    this.title = title;
  }

  /**
   * Returns the name of this part in reports.
   *
   * @return the name
   */
  public String title() {
    return title;
  }
}
