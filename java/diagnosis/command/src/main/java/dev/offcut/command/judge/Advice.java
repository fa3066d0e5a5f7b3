package dev.offcut.command.judge;

import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.resident.Part;

/** What to do about a finding. */
public enum Advice {
  /** What the rule of a class, or of a kind, says. */
  OF_KIND(""),
  /** The method that ends the owner. */
  OWNER(""),
  /** To be tried before the other. */
  RULES("run it with --rules on, which counts objects of known libraries that have to be closed; "),
  /** Likewise. */
  NATIVE(
      "sample malloc, which names the lines that take such memory: `offcut run` does, and `offcut"
          + " attach --native PID`; "),
  /** Of what the collector frees once nothing refers to it. */
  HOLDERS("drop what still refers to them, which the option --holders shows; or "),
  HEAP_DUMP(
      "it is the Java heap, and no native memory. Take a heap dump, which shows what holds the"
          + " objects: `jcmd PID GC.heap_dump FILE`."),
  HEAP_MIN(
      "nothing, if the program needs that heap again; nothing is leaked. The JVM keeps more with a"
          + " larger -Xms or -Xmx. G1 returns free memory in a collection of the whole heap;"
          + " -XX:G1PeriodicGCInterval=MILLISECONDS makes one when the program is idle."),
  STRINGS("intern only strings of which there are few; for others use a map that drops entries."),
  UNBLOCK(
      "let that method return at once: it must wait for no lock, no network and no other thread."),
  CLOSE_HANDLES("close each in try-with-resources."),
  DEFER_CLOSE("defer the Close of each."),
  KEEP_POOL("keep the pool for as long as its memory is used, and close it."),
  DEFER_ARENAS("defer the Close of each arena."),
  WATCHES(
      "close watch services after their last use. The setting fs.inotify.max_user_instances of the"
          + " system is the limit."),
  CONTAINER(
      "give the container more memory, or the JVM a smaller heap (-Xmx); the parts below say what has"
          + " the memory."),
  REUSE_BUFFERS("reuse buffers, or raise the limit."),
  FEWER_LOADERS("use fewer class loaders, or drop them together."),
  CLOSE_FILES(
      "close files, sockets and channels after their last use, for example with"
          + " try-with-resources."),
  LONG_LIVED(
      "give long-lived blocks an arena or a pool of their own. MemoryPool.trim() also returns free"
          + " pages within granules."),
  RELEASE_BUFFERS("release buffers early, and copy what is kept for long into unpooled buffers."),
  CLOSE_LIBRARY(
      "close that library's objects after their last use. The library may have statistics of its"
          + " own."),
  TRIM("`jcmd PID System.trim_native_heap` returns it at once."),
  TRIM_GO("malloc_trim(0), called by cgo, returns it at once."),
  CLOSE_NATIVE(Kinds.remedy(NativeCallers.KIND) + ", once it no longer needs them."),
  COMPILER(
      "`jcmd PID System.trim_native_heap` returns it at once. Fewer compiler threads"
          + " (-XX:CICompilerCount) take less at one time. From JDK 22 on `jcmd PID Compiler.memory`"
          + " lists the methods that took most; make them smaller, or exclude them:"
          + " `-XX:CompileCommand=exclude,CLASS::METHOD`."),
  SMALLER_PIECES(
      "read and write in smaller pieces, or through direct buffers. NIO copies a heap buffer into a"
          + " direct buffer that it keeps for the thread; -Djdk.nio.maxCachedBufferSize=BYTES limits"
          + " the size of the kept buffers."),
  FILES("unmap files after their last use: close the arena, or drop the buffers."),
  STACKS("let threads end, or use a thread pool with a limit."),
  METASPACE(
      "find in a heap dump what refers to one of the loaders: for example a thread, a thread-local,"
          + " or a static field of a class of another loader."),
  MALLOC(
      "close objects of native libraries after their last use. -XX:NativeMemoryTracking=summary"
          + " shows the JVM's own part."),
  ELSEWHERE(
      "look at lost and open resources. If they do not explain it, a native library holds the"
          + " memory."),
  GO_HEAP("a heap profile (runtime/pprof) shows which lines allocated the objects that are kept."),
  GO_STACKS(
      "a goroutine profile (runtime/pprof) shows where goroutines wait, and who started them."),
  GO_MALLOC(
      "free C memory after its last use. The Go package offcut.dev/go/cmemory shows which lines"
          + " allocated it."),
  GO_FILES("unmap files after their last use."),
  GO_THREADS("let threads end: each is in a system call or in C code, or is locked."),
  GO_ELSEWHERE(
      "look at open handles and pools. If they do not explain it, the program or a C library mapped"
          + " the memory.");

  private final String text;

  Advice(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** About a part of resident memory that grows, or is much. */
  static Advice of(Part part, boolean isGo) {
    return switch (part) {
      case GO_OBJECTS, GO_FREE, GO_HEAP -> GO_HEAP;
      case GO_STACKS -> GO_STACKS;
      case FILES -> isGo ? GO_FILES : FILES;
      case STACKS -> isGo ? GO_THREADS : STACKS;
      case MALLOC_USED, MALLOC_UNREAD -> isGo ? GO_MALLOC : MALLOC;
      case METASPACE -> isGo ? GO_ELSEWHERE : METASPACE;
      default -> isGo ? GO_ELSEWHERE : ELSEWHERE;
    };
  }
}
