package dev.offcut.account;

/** A part of resident memory. Each resident byte belongs to one. In the order of a report. */
public enum Part {
  /** Objects. */
  HEAP_USED("Java heap, used"),
  /** Resident memory of the heap without objects: the collector has not given it back. */
  HEAP_FREE("Java heap, free"),
  /** Mappings of heap pages that ZGC of JDK 17 to 22 maps more than once. */
  HEAP_AGAIN("Java heap, mapped again"),
  /** Metadata of classes, without class space. */
  METASPACE("metaspace"),
  /** The part of class metadata that compressed class pointers reach. */
  CLASS_SPACE("class space"),
  /** Compiled code. */
  CODE_CACHE("code cache"),
  /** What a collector needs beside the heap: card table, mark bitmap, remembered sets. */
  GC("garbage collector"),
  /** The archive of class data that the JVM maps at its start. */
  CLASS_ARCHIVE("class data archive"),
  /** Stacks of all threads, and those that the C library keeps for new ones. */
  STACKS("thread stacks"),
  /** Blocks of malloc that the JVM holds for itself: known if it tracks its native memory. */
  MALLOC_JVM("malloc, in use by the JVM"),
  /** Blocks of malloc that somebody holds: native libraries, the program, and the JVM. */
  MALLOC_USED("malloc, in use"),
  /** Free memory of malloc that {@code malloc_trim} returns to the system. */
  MALLOC_TRIMMABLE("malloc, kept: a trim returns it"),
  /** Free memory of malloc that a trim leaves: in pages with used blocks, or at an arena's end. */
  MALLOC_FRAGMENTED("malloc, kept: a trim leaves it"),
  /** Memory of malloc where used and free blocks could not be told apart. */
  MALLOC_UNREAD("malloc, in use or kept"),
  /** Pools of Offcut's own library. */
  POOLS("pools"),
  /** Memory of another allocator, such as jemalloc. */
  ALLOCATOR("allocator"),
  /** What nobody claims where there is such an allocator, but its tables could not be read. */
  ALLOCATOR_UNREAD("allocator, or unexplained"),
  /** Native libraries and programs: code, data, and their zeroed data. */
  LIBRARIES("native libraries"),
  /** The JDK's archive of its modules. */
  ARCHIVES("archives of classes"),
  /** Files mapped into memory for their data, jars among them. */
  FILES("mapped files"),
  /** Memory shared between processes that is no file on a disk. */
  SHARED("shared memory"),
  /** Pages of the system in each process. */
  SYSTEM("system"),
  /** Anonymous memory that nobody claims. */
  UNEXPLAINED("unexplained");

  private final String title;

  Part(String title) {
    this.title = title;
  }

  /** Its name in a report. */
  public String title() {
    return title;
  }
}
