package dev.offcut.agent.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes as libraries write them. */
class OwnersTest {
  @TempDir private Path folder = Path.of("");

  private Map<String, String> owners(String... sources) throws Exception {
    Map<String, String> texts = new TreeMap<>();
    Compiled.of(folder, sources)
        .find()
        .forEach((name, owner) -> texts.put(name, Compiled.text(owner)));
    return texts;
  }

  @Test
  void handleAndNativeEnd() throws Exception {
    assertThat(
            owners(
                """
                package own;
                public class Db implements AutoCloseable {
                  private long handle = open0();
                  static native long open0();
                  static native void close0(long handle);
                  public void close() { if (handle != 0) { close0(handle); handle = 0; } }
                }
                """))
        .containsExactly(Map.entry("own/Db", "close*; handle"));
  }

  @Test
  void handleThatIsNotCleared_isAnOwner_thatMayBeAView() throws Exception {
    assertThat(
            owners(
                """
                package own;
                class Struct {
                  final long address = make();
                  static native long make();
                  static native void nfree(long address);
                  void free() { nfree(address); }
                }
                """))
        .containsExactly(Map.entry("own/Struct", "free; address; uncertain"));
  }

  /** It has only objects of other classes, which have what is native. */
  @Test
  void finalizerThatCallsAnEnd_isAnOwner_thatMayBeAView() throws Exception {
    assertThat(
            owners(
                """
                package own;
                public class Grabber {
                  private Object context = new Object();
                  static native void freeContext(Object context);
                  public void release() { freeContext(context); context = null; }
                  protected void finalize() throws Throwable { super.finalize(); release(); }
                }
                """,
                """
                package own;
                public class Quiet {
                  private Object context = new Object();
                  public void release() { context = null; }
                  protected void finalize() { release(); }
                }
                """))
        .containsExactly(Map.entry("own/Grabber", "release; finalizer; uncertain"));
  }

  /** Views have no action. */
  @Test
  void endThatRunsAnAction_isAnOwnerWhileTheActionIsSet() throws Exception {
    assertThat(
            owners(
                """
                package own;
                abstract class Base implements AutoCloseable {
                  private long address;
                  private Runnable action;
                  void set(long address, Runnable action) {
                    this.address = address;
                    this.action = action;
                  }
                  public void close() {
                    if (action != null) { action.run(); action = null; address = 0; }
                  }
                }
                """,
                """
                package own;
                public class Shape extends Base {
                  static native long make();
                  static native void free(long address);
                  Shape() { long at = make(); set(at, () -> free(at)); }
                  Shape(long view) { set(view, null); }
                }
                """,
                """
                package own;
                public class Keeper implements AutoCloseable {
                  static native long make();
                  static native void free(long address);
                  private long address = make();
                  private Runnable action = () -> free(address);
                  public void close() { action = null; }
                }
                """,
                """
                package own;
                public class Task extends Base {
                  static native long make();
                  Task(Runnable other) { set(make(), other); }
                }
                """))
        .containsExactly(Map.entry("own/Shape", "close*; action; uncertain"));
  }

  @Test
  void ownerFlagOfGeneratedWrappers_isAGuard() throws Exception {
    assertThat(
            owners(
                """
                package own;
                public class Solver {
                  private transient long cPtr;
                  protected transient boolean memOwn;
                  protected Solver(long ptr, boolean own) { cPtr = ptr; memOwn = own; }
                  public Solver() { this(Jni.new_Solver(), true); }
                  protected void finalize() { delete(); }
                  public synchronized void delete() {
                    if (cPtr != 0) {
                      if (memOwn) { memOwn = false; Jni.delete_Solver(cPtr); }
                      cPtr = 0;
                    }
                  }
                }
                """,
                """
                package own;
                class Jni {
                  static native long new_Solver();
                  static native void delete_Solver(long ptr);
                }
                """))
        .containsExactly(Map.entry("own/Solver", "delete*; cPtr; memOwn; finalizer"));
  }

  @Test
  void atomicFlagAboveTheClass_isAGuard() throws Exception {
    Map<String, Owner> owners =
        Compiled.of(
                folder,
                """
                package own;
                import java.util.concurrent.atomic.AtomicBoolean;
                public abstract class Reference implements AutoCloseable {
                  protected final AtomicBoolean owning;
                  Reference(boolean owns) { owning = new AtomicBoolean(owns); }
                  public void close() { if (owning.compareAndSet(true, false)) disposeInternal(); }
                  protected abstract void disposeInternal();
                }
                """,
                """
                package own;
                public abstract class Base extends Reference {
                  protected final long nativeHandle;
                  Base(long handle) { super(true); nativeHandle = handle; }
                  protected void disposeInternal() { disposeInternal(nativeHandle); }
                  protected abstract void disposeInternal(long handle);
                }
                """,
                """
                package own;
                public class Options extends Base {
                  public Options() { super(make()); }
                  static native long make();
                  protected final native void disposeInternal(long handle);
                }
                """)
            .find();
    assertThat(owners).containsOnlyKeys("own/Options");
    assertThat(Compiled.text(owners.get("own/Options")))
        .isEqualTo("close*, disposeInternal; nativeHandle; owning");
    assertThat(owners.get("own/Options"))
        .extracting(Owner::lineage)
        .isEqualTo(List.of("own/Options", "own/Base", "own/Reference"));
  }

  @Test
  void flagThatSaysClosed_isAGuard_andMinusOneIsAnEnd() throws Exception {
    assertThat(
            owners(
                """
                package own;
                public class Model {
                  private final long handle = make();
                  private boolean closed;
                  static native long make();
                  static native void free(long handle);
                  boolean isClosed() { return closed; }
                  public void close() {
                    if (isClosed()) { throw new IllegalStateException(); }
                    free(handle);
                    closed = true;
                  }
                }
                """,
                """
                package own;
                public class Socket {
                  private int fd = open();
                  static native int open();
                  static native void shut(int fd);
                  public void close() { if (fd >= 0) { shut(fd); fd = -1; } }
                }
                """))
        .containsExactly(
            Map.entry("own/Model", "close*; handle; not closed"),
            Map.entry("own/Socket", "close*; fd >= 0"));
  }

  @Test
  void methodThatAsksForTheHandle_isAsGoodAsTheHandle() throws Exception {
    assertThat(
            owners(
                """
                package own;
                public class Peer {
                  private long peer;
                  private boolean isOpen() { return peer != 0; }
                  private static native void destroyPeer(long peer);
                  private long take() { long taken = peer; peer = 0; return taken; }
                  public void dispose() { if (isOpen()) { destroyPeer(take()); } }
                }
                """))
        .containsExactly(Map.entry("own/Peer", "dispose*; peer"));
  }

  private static final String[] JNA = {
    "package com.sun.jna; public class Pointer { protected long peer; }",
    """
    package com.sun.jna;
    public abstract class PointerType { private Pointer pointer; protected PointerType() {} }
    """,
    "package com.sun.jna; public interface Library {}"
  };

  @Test
  void jna_pointerType_andPointer() throws Exception {
    assertThat(
            owners(
                JNA[0],
                JNA[1],
                JNA[2],
                """
                package own;
                public interface Lib extends com.sun.jna.Library {
                  void foo_free(Foo foo);
                  void bar_destroy(com.sun.jna.Pointer bar);
                }
                """,
                """
                package own;
                public class Foo extends com.sun.jna.PointerType {
                  static Lib lib;
                  public void free() { lib.foo_free(this); }
                }
                """,
                """
                package own;
                public class Bar {
                  static Lib lib;
                  private com.sun.jna.Pointer bar;
                  public void close() { if (bar != null) { lib.bar_destroy(bar); bar = null; } }
                }
                """))
        .containsExactly(
            Map.entry("own/Bar", "close*; bar"), Map.entry("own/Foo", "free; uncertain"));
  }

  @Test
  void jnr() throws Exception {
    assertThat(
            owners(
                "package jnr.ffi; public abstract class Pointer {}",
                """
                package own;
                public interface Lib { void env_close(jnr.ffi.Pointer env); }
                """,
                """
                package own;
                public class Env {
                  static Lib lib;
                  private final jnr.ffi.Pointer ptr;
                  private boolean closed;
                  Env(jnr.ffi.Pointer ptr) { this.ptr = ptr; }
                  public void close() {
                    if (closed) { return; }
                    closed = true;
                    lib.env_close(ptr);
                  }
                }
                """))
        .containsExactly(Map.entry("own/Env", "close*; ptr; not closed"));
  }

  @Test
  void segmentAndMethodHandle_unsafe() throws Exception {
    assertThat(
            owners(
                """
                package own;
                import java.lang.foreign.MemorySegment;
                import java.lang.invoke.MethodHandle;
                public class Engine {
                  static MethodHandle delete;
                  private MemorySegment engine;
                  public void close() {
                    if (engine == null) { return; }
                    try { delete.invokeExact(engine); }
                    catch (Throwable e) { throw new IllegalStateException(e); }
                    engine = null;
                  }
                }
                """,
                """
                package own;
                public class Block {
                  static sun.misc.Unsafe unsafe;
                  private long address;
                  public void release() { unsafe.freeMemory(address); address = 0; }
                }
                """))
        .containsExactly(
            Map.entry("own/Block", "release*; address"), Map.entry("own/Engine", "close*; engine"));
  }

  @Test
  void whatRegistersWithACleaner_isFreedByIt_butItsActionIsNoOwner() throws Exception {
    assertThat(
            owners(
                """
                package own;
                public class Cleaned implements AutoCloseable {
                  static final java.lang.ref.Cleaner CLEANER = java.lang.ref.Cleaner.create();
                  private final State state = new State(make());
                  private final java.lang.ref.Cleaner.Cleanable cleanable =
                      CLEANER.register(this, state);
                  static native long make();
                  static native void free(long handle);
                  public void close() { cleanable.clean(); }
                  static class State implements Runnable {
                    private final long handle;
                    State(long handle) { this.handle = handle; }
                    public void run() { free(handle); }
                  }
                }
                """,
                """
                package own;
                public class Both implements AutoCloseable {
                  private long handle = Cleaned.make();
                  Both() { Cleaned.CLEANER.register(this, () -> { }); }
                  public void close() { if (handle != 0) { Cleaned.free(handle); handle = 0; } }
                }
                """))
        .containsExactly(Map.entry("own/Both", "close*; handle; cleaner"));
  }

  @Test
  void nativeEnder_isSaidToBeNative() throws Exception {
    Map<String, Owner> owners =
        Compiled.of(
                folder,
                """
                package own;
                public class Vm { private long ptr; public native void close(); }
                """)
            .find();
    assertThat(owners.get("own/Vm")).returns(true, one -> one.isEndedNatively());
  }

  @Test
  void classesOfPureJava_ownNothing() throws Exception {
    assertThat(
            owners(
                """
                package pure;
                public class Stream extends java.io.OutputStream {
                  private long position; private java.nio.ByteBuffer buffer;
                  private final java.io.OutputStream out;
                  Stream(java.io.OutputStream out) { this.out = out; }
                  public void write(int b) { position++; }
                  public void close() throws java.io.IOException { position = 0; out.close(); }
                }
                """,
                """
                package pure;
                public class Pool {
                  private final java.util.concurrent.atomic.AtomicLong ids =
                      new java.util.concurrent.atomic.AtomicLong();
                  private long lastId;
                  public void shutdown() { lastId = 0; ids.set(0); System.nanoTime(); }
                }
                """,
                """
                package pure;
                public abstract class Counted {
                  private volatile int refCnt = 1;
                  public boolean release() {
                    if (--refCnt == 0) { deallocate(); return true; }
                    return false;
                  }
                  protected abstract void deallocate();
                }
                """,
                """
                package pure;
                public class Buf extends Counted {
                  private java.nio.ByteBuffer memory; private long address;
                  protected void deallocate() { memory = null; address = 0; }
                }
                """,
                """
                package pure;
                public class Wrapper {
                  private final Native inner; private long opened;
                  Wrapper(Native inner) { this.inner = inner; }
                  public void close() { opened = 0; inner.ping(); }
                }
                """,
                """
                package pure;
                public class Native { native void ping(); static native long now(); }
                """,
                """
                package pure;
                public class Statement {
                  private final Db db; private long updated; private int batch; private Object[] all;
                  Statement(Db db) { this.db = db; }
                  public int executeBatch() {
                    if (batch == 0) { return 0; }
                    int code = db.execute(this);
                    batch = 0;
                    all = null;
                    db.finalizeAll(code);
                    return code;
                  }
                }
                """,
                """
                package pure;
                public abstract class Db {
                  abstract int execute(Object statement);
                  native void finalizeAll(int code);
                }
                """,
                """
                package pure;
                public class Clock {
                  private long last;
                  public void close() { last = Native.now(); }
                }
                """))
        .isEmpty();
  }

  @Test
  void withoutAnythingHot_nothingIsRead() throws Exception {
    Compiled compiled =
        Compiled.of(
            folder,
            "package pure; class A { long handle; void close() { handle = 0; } }",
            "package pure; class B extends A {}");
    Owners owners = compiled.owners();
    assertThat(compiled.load(owners, "pure/A")).isFalse();
    assertThat(compiled.load(owners, "pure/B")).isFalse();
    assertThat(owners.look()).isEmpty();
    assertThat(compiled.reads).isZero();
  }

  private static final String[] LATE = {
    """
    package api;
    public interface Lib { void free(long handle); }
    """,
    """
    package own;
    public class Thing {
      private final api.Lib lib; private long handle;
      Thing(api.Lib lib) { this.lib = lib; }
      public void close() { if (handle != 0) { lib.free(handle); handle = 0; } }
    }
    """,
    """
    package impl;
    public class Native implements api.Lib { public native void free(long handle); }
    """,
    "package other; public class Marked { native void ping(); }",
    """
    package own;
    public class Allocator implements api.Lib {
      static native void nfree(long handle);
      public void free(long handle) { nfree(handle); }
    }
    """,
    "package own; public class Other implements api.Lib { public void free(long handle) {} }"
  };

  @Test
  void codeOfAnAbstractMethod_thatReachesANative_andComesLater_isLookedFor() throws Exception {
    Compiled compiled = Compiled.of(folder, LATE);
    Owners owners = compiled.owners();
    compiled.load(owners, "api/Lib");
    compiled.load(owners, "own/Thing");
    compiled.load(owners, "other/Marked");
    assertThat(owners.look()).isEmpty();
    compiled.load(owners, "own/Other");
    assertThat(owners.look()).isEmpty();
    compiled.load(owners, "own/Allocator");
    assertThat(owners.look())
        .singleElement()
        .satisfies(one -> assertThat(one.owner().name()).isEqualTo("own/Thing"));
  }

  /** The native method that is behind an interface comes last, when the class was refused. */
  @Test
  void nativeCodeOfAnAbstractMethod_thatComesLater_isLookedFor() throws Exception {
    Compiled compiled = Compiled.of(folder, LATE);
    Owners owners = compiled.owners();
    compiled.load(owners, "api/Lib");
    assertThat(compiled.load(owners, "own/Thing")).isFalse();
    assertThat(compiled.load(owners, "other/Marked")).isTrue();
    assertThat(owners.look()).isEmpty();
    assertThat(compiled.load(owners, "impl/Native")).isTrue();
    assertThat(owners.look())
        .singleElement()
        .satisfies(one -> assertThat(one.owner().name()).isEqualTo("own/Thing"));
    assertThat(owners.look()).isEmpty();
  }

  /** The class above one comes last, as when the JVM loads them. */
  @Test
  void classAbove_thatComesLater_isWaitedFor() throws Exception {
    Compiled compiled =
        Compiled.of(
            folder,
            """
            package own;
            public class Above {
              long handle; static native void free(long handle);
              public void close() { free(handle); handle = 0; }
            }
            """,
            "package user; public class Below extends own.Above {}",
            "package user; public class Lowest extends Below { native void ping(); }");
    Owners owners = compiled.owners();
    compiled.load(owners, "user/Lowest");
    assertThat(owners.look()).isEmpty();
    compiled.load(owners, "user/Below");
    assertThat(owners.look()).isEmpty();
    compiled.load(owners, "own/Above");
    assertThat(owners.look())
        .extracting(one -> one.owner().name())
        .containsExactlyInAnyOrder("own/Above", "user/Below", "user/Lowest");
  }
}
