package dev.offcut.agent.hooks;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;

/**
 * The classes, besides those of {@linkplain ArenaClasses arenas}, into which calls of helpers are
 * put: their known shape, and where the calls stand.
 */
public final class PatchedClasses {
  private PatchedClasses() {}

  /**
   * The JDK's class that frees the memory of a direct buffer, and, from JDK 26 on, the two places
   * that clean what the collector found: a thread of its own, and whoever waits for direct memory.
   * Until JDK 25 the thread that handles references did.
   */
  public static final class BufferClasses {
    public static final String NAME = "java/nio/DirectByteBuffer$Deallocator";
    static final String CLEANER = "java/nio/BufferCleaner";
    static final String LOOP = CLEANER + "$CleaningRunnable";
    static final List<String> NAMES = List.of(NAME, CLEANER, LOOP);

    private static final String FREE = "invokevirtual jdk/internal/misc/Unsafe.freeMemory(J)V";
    private static final String CLEANABLE = "sun/nio/Cleaner";
    private static final String CLEAN = "invokeinterface " + CLEANABLE + ".clean()V";

    private BufferClasses() {}

    static byte[] rewrite(String name, byte[] bytes) throws UnknownShapeException {
      return switch (name) {
        case CLEANER -> cleaning(bytes, "tryCleaning", "()Z", "cleanForMemory");
        case LOOP -> cleaning(bytes, "run", "()V", "cleanInLoop");
        default -> deallocator(bytes);
      };
    }

    private static byte[] cleaning(byte[] bytes, String method, String type, String helper)
        throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      patch.replaceInterfaceCall(
          patch.method(method, type), CLEAN, Tracking.BUFFERS, helper, "(L" + CLEANABLE + ";)V");
      return patch.toBytes();
    }

    private static byte[] deallocator(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      patch.needsField("address", "J");
      Code made = patch.method("<init>", "(JJI)V");
      made.insert(
          patch.place(made, Opcode.RETURN, "<init> returns"),
          Patch.join(
              Insns.of(Opcode.LLOAD_1, Opcode.LLOAD_3),
              patch.call(Tracking.BUFFERS, "opened", "(JJ)V")),
          4);
      Code run = patch.method("run", "()V");
      run.insert(
          patch.place(run, FREE),
          Patch.join(Insns.of(Opcode.DUP2), patch.call(Tracking.BUFFERS, "freeing", "(J)V")),
          2);
      return patch.toBytes();
    }
  }

  /** The program's Unsafe, {@code sun.misc.Unsafe}. */
  static final class UnsafeClass {
    static final String NAME = "sun/misc/Unsafe";

    private static final String INNER = "invokevirtual jdk/internal/misc/Unsafe.";

    private UnsafeClass() {}

    static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      Code allocate = patch.method("allocateMemory", "(J)J");
      patch.place(allocate, INNER + "allocateMemory(J)J");
      allocate.insert(
          patch.place(allocate, Opcode.LRETURN, "allocateMemory returns"),
          Patch.join(
              Insns.of(Opcode.DUP2, Opcode.LLOAD_1),
              patch.call(Tracking.UNSAFE, "allocated", "(JJ)V")),
          4);
      Code reallocate = patch.method("reallocateMemory", "(JJ)J");
      // The call itself: what is checked before may throw, and the table must change before it.
      reallocate.replace(
          patch.place(reallocate, INNER + "reallocateMemory(JJ)J"),
          Opcode.INVOKESTATIC,
          patch.helper(Tracking.UNSAFE, "reallocate", "(Ljdk/internal/misc/Unsafe;JJ)J"));
      Code free = patch.method("freeMemory", "(J)V");
      // At the call: what is checked before may throw.
      free.insert(
          patch.place(free, INNER + "freeMemory(J)V"),
          Patch.join(Insns.of(Opcode.DUP2), patch.call(Tracking.UNSAFE, "freeing", "(J)V")),
          2);
      return patch.toBytes();
    }
  }

  /**
   * JNA's Memory and the class that disposes of it, of any class loader: as they are, or as the
   * retrofit of their map has made them.
   */
  static final class JnaClasses {
    static final String MEMORY = "com/sun/jna/Memory";
    static final String DISPOSER = MEMORY + "$MemoryDisposer";
    static final List<String> NAMES = List.of(MEMORY, DISPOSER);

    private JnaClasses() {}

    static byte[] rewrite(String name, byte[] bytes) throws UnknownShapeException {
      return name.equals(MEMORY) ? memory(bytes) : disposer(bytes);
    }

    private static byte[] memory(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      Code made = patch.method("<init>", "(J)V");
      patch.place(made, "new " + DISPOSER);
      int allocates = patch.place(made, "invokestatic " + MEMORY + ".malloc(J)J");
      made.insert(allocates, patch.call(Tracking.NATIVE, "beginMemory", "()V"), 0);
      made.insert(
          patch.place(made, Opcode.RETURN, "<init> returns"),
          Patch.join(
              Insns.of(Opcode.ALOAD_0),
              patch.read(MEMORY, "peer", "J"),
              Insns.of(Opcode.LLOAD_1),
              patch.call(Tracking.JNA, "opened", "(Ljava/lang/Object;JJ)V")),
          5);
      return patch.toBytes();
    }

    private static byte[] disposer(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      patch.needsField("peer", "J");
      Code run = patch.method("run", "()V");
      int at = patch.place(run, "invokestatic " + MEMORY + ".free(J)V");
      run.insert(
          at, Patch.join(Insns.of(Opcode.DUP2), patch.call(Tracking.JNA, "freeing", "(J)V")), 2);
      return patch.toBytes();
    }
  }

  /** The JDK's class that makes handles for downcalls, from JDK 22 on. */
  public static final class LinkerClass {
    public static final String NAME = "jdk/internal/foreign/abi/AbstractLinker";

    private static final int OLDEST_JDK = 22;
    private static final String FOREIGN = "Ljava/lang/foreign/";
    private static final String SEGMENT = FOREIGN + "MemorySegment;";
    private static final String TYPE =
        FOREIGN + "FunctionDescriptor;[" + FOREIGN + "Linker$Option;";
    private static final String HANDLE = "Ljava/lang/invoke/MethodHandle;";

    private LinkerClass() {}

    /** Before, downcalls are a preview. */
    public static boolean isThere() {
      return Runtime.version().feature() >= OLDEST_JDK;
    }

    /** Each of the two methods returns another handle. */
    static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      String made = "invokevirtual " + NAME + ".downcallHandle0(" + TYPE + ")" + HANDLE;
      Code bound = patch.method("downcallHandle", "(" + SEGMENT + TYPE + ")" + HANDLE);
      patch.place(bound, made);
      bound.insert(
          patch.place(bound, Opcode.ARETURN, "downcallHandle returns"),
          Patch.join(
              Insns.of(Opcode.ALOAD_1),
              patch.call(Tracking.DOWNCALLS, "bound", "(" + HANDLE + SEGMENT + ")" + HANDLE)),
          1);
      Code unbound = patch.method("downcallHandle", "(" + TYPE + ")" + HANDLE);
      patch.place(unbound, made);
      unbound.insert(
          patch.place(unbound, Opcode.ARETURN, "downcallHandle returns"),
          patch.call(Tracking.DOWNCALLS, "unbound", "(" + HANDLE + ")" + HANDLE),
          0);
      return patch.toBytes();
    }
  }

  /** The JDK's cleaners: where the program registers, and where their threads clean. */
  static final class CleanerClasses {
    static final String CLEANER = "java/lang/ref/Cleaner";
    static final String LOOP = "jdk/internal/ref/CleanerImpl";
    static final List<String> NAMES = List.of(CLEANER, LOOP);

    private static final String CLEANABLE = CLEANER + "$Cleanable";
    private static final String ACTION = "Ljava/lang/Runnable;";

    private CleanerClasses() {}

    static byte[] rewrite(String name, byte[] bytes) throws UnknownShapeException {
      return name.equals(CLEANER) ? cleaner(bytes) : loop(bytes);
    }

    /** After both arguments were looked at, another action takes the place of the program's. */
    private static byte[] cleaner(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      Code register =
          patch.method("register", "(Ljava/lang/Object;" + ACTION + ")L" + CLEANABLE + ";");
      String type = "(L" + CLEANER + ";" + ACTION + ")" + ACTION;
      register.insert(
          patch.place(register, "new " + LOOP + "$PhantomCleanableRef"),
          Patch.join(
              Insns.of(Opcode.ALOAD_0, Opcode.ALOAD_2),
              patch.call(Tracking.REGISTRATIONS, "of", type),
              Insns.of(Opcode.ASTORE_2)),
          2);
      return patch.toBytes();
    }

    private static byte[] loop(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      Code run = patch.method("run", "()V");
      String clean = "invokeinterface " + CLEANABLE + ".clean()V";
      patch.replaceInterfaceCall(
          run, clean, Tracking.REGISTRATIONS, "clean", "(L" + CLEANABLE + ";)V");
      return patch.toBytes();
    }
  }

  /** The JDK's class that is told of each object that has a finalizer, and runs that. */
  static final class FinalizerClass {
    static final String NAME = "java/lang/ref/Finalizer";

    private static final String ACCESS = "jdk/internal/access/JavaLangAccess";
    private static final String OF_OBJECT = "(Ljava/lang/Object;)V";

    private FinalizerClass() {}

    static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      Code register = patch.method("register", OF_OBJECT);
      patch.place(register, "new " + NAME);
      register.insert(
          0,
          Patch.join(
              Insns.of(Opcode.ALOAD_0), patch.call(Tracking.FINALIZERS, "registered", OF_OBJECT)),
          1);
      Code run = patch.method("runFinalizer", "(L" + ACCESS + ";)V");
      run.insert(
          patch.place(run, "invokeinterface " + ACCESS + ".invokeFinalize" + OF_OBJECT),
          Patch.join(Insns.of(Opcode.DUP), patch.call(Tracking.FINALIZERS, "running", OF_OBJECT)),
          1);
      return patch.toBytes();
    }
  }

  /** The JDK's class that limits direct memory, and collects when there is too much of it. */
  static final class BitsClass {
    static final String NAME = "java/nio/Bits";

    private static final int LSTORE_0 = 0x3f;
    private static final int LSTORE = 0x37;

    private BitsClass() {}

    static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
      Patch patch = new Patch(bytes);
      Code reserve = patch.method("reserveMemory", "(JJ)V");
      int at = patch.place(reserve, "invokestatic java/lang/System.gc()V");
      boolean changed = !reserve.places(LSTORE_0).isEmpty();
      for (int store : reserve.places(LSTORE)) {
        changed |= reserve.insns()[store + 1] == 0;
      }
      if (changed) {
        throw new UnknownShapeException("reserveMemory changes the number of bytes");
      }
      reserve.insert(at, Insns.of(Opcode.LLOAD_0), 2);
      int helper = patch.helper(Tracking.FORCED, "collect", "(J)V");
      reserve.replace(at + 1, Opcode.INVOKESTATIC, helper);
      return patch.toBytes();
    }
  }
}
