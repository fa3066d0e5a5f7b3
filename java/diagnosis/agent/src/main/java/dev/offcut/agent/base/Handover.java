package dev.offcut.agent.base;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Constants;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gets the helper that defines all others into java.base, without opening a package of it.
 *
 * <p>To open one takes 10 ms of CPU at the start of a program, most of it for five lambdas of the
 * JDK and for its parser of class files. Instead, a class of java.base that hardly any program
 * loads gets an initializer: it defines the helper, whose file it gets from the context class
 * loader of its thread. That is this one, and only while the agent initializes the class. The
 * helper hands its one object to the same loader. All this happens before the program runs, or not
 * at all: a class that is loaded already gets no initializer.
 */
final class Handover extends ClassLoader
    implements ClassFileTransformer, Consumer<Consumer<byte[]>> {
  /** What is thrown where a server of FTP refuses a user. It has no initializer of its own. */
  private static final String CARRIER = "sun/net/ftp/FtpLoginException";

  private static final String BINARY = CARRIER.replace('/', '.');

  private static final String UNSAFE = "jdk/internal/misc/Unsafe";

  /** The largest number that one instruction puts on the stack. */
  private static final int MOST = Short.MAX_VALUE;

  private static final int ACONST_NULL = 1;
  private static final int SIPUSH = 0x11;
  private static final int POP = 0x57;

  private final byte[] file;
  private boolean isRewritten;
  private @Nullable Consumer<byte[]> definer;

  private Handover(byte[] file) {
    super(null);
    this.file = file;
  }

  /**
   * What defines a class in java.base, given its file.
   *
   * @param name the binary name of the helper
   * @param file its class file
   * @return null if it is there already, or this JDK is not as known
   */
  static @Nullable Consumer<byte[]> definer(
      Instrumentation instrumentation, String name, byte[] file) {
    Handover handover = new Handover(file);
    instrumentation.addTransformer(handover);
    try {
      Class.forName(BINARY, false, null);
      if (handover.isRewritten) {
        handover.receive(name);
      }
    } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
      // Then a package is opened.
    } finally {
      instrumentation.removeTransformer(handover);
    }
    return handover.definer;
  }

  private void receive(String name) throws ClassNotFoundException {
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    thread.setContextClassLoader(this);
    try {
      Class.forName(BINARY, true, null);
      Class.forName(name, true, null);
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (loader != null || !CARRIER.equals(name)) {
      return null;
    }
    try {
      byte[] made = withInitializer(bytes, file.length);
      isRewritten = true;
      return made;
    } catch (UnknownShapeException | RuntimeException e) {
      return null;
    }
  }

  /** A class file with an initializer that defines a class, whose file has a length. */
  static byte[] withInitializer(byte[] bytes, int length) throws UnknownShapeException {
    ClassFile read = ClassFile.read(bytes);
    for (Member method : read.methods()) {
      if (method.is("<clinit>", "()V")) {
        throw new UnknownShapeException("it has an initializer");
      }
    }
    if (length > MOST) {
      throw new UnknownShapeException("a file of " + length + " bytes");
    }
    Constants constants = read.constants();
    read.addMethod(
        Member.STATIC,
        "<clinit>",
        "()V",
        new Code(constants, 7, 0, initializer(constants, length), new byte[0]));
    return read.toBytes();
  }

  /**
   * {@code Unsafe.getUnsafe().defineClass(null,
   * Thread.currentThread().getContextClassLoader().getResourceAsStream(null).readAllBytes(), 0,
   * length, null, null)}.
   */
  private static byte[] initializer(Constants constants, int length) {
    String loader = "java/lang/ClassLoader";
    int unsafe = constants.addMethod(UNSAFE, "getUnsafe", "()L" + UNSAFE + ";");
    int thread = constants.addMethod("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;");
    int context =
        constants.addMethod("java/lang/Thread", "getContextClassLoader", "()L" + loader + ";");
    int open =
        constants.addMethod(
            loader, "getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;");
    int read = constants.addMethod("java/io/InputStream", "readAllBytes", "()[B");
    int define =
        constants.addMethod(
            UNSAFE,
            "defineClass",
            "(Ljava/lang/String;[BIIL"
                + loader
                + ";Ljava/security/ProtectionDomain;)Ljava/lang/Class;");
    int[] code = {
      Insns.INVOKESTATIC,
      unsafe >> 8,
      unsafe,
      ACONST_NULL,
      Insns.INVOKESTATIC,
      thread >> 8,
      thread,
      Insns.INVOKEVIRTUAL,
      context >> 8,
      context,
      ACONST_NULL,
      Insns.INVOKEVIRTUAL,
      open >> 8,
      open,
      Insns.INVOKEVIRTUAL,
      read >> 8,
      read,
      Insns.ICONST_0,
      SIPUSH,
      length >> 8,
      length,
      ACONST_NULL,
      ACONST_NULL,
      Insns.INVOKEVIRTUAL,
      define >> 8,
      define,
      POP,
      Insns.RETURN
    };
    byte[] bytes = new byte[code.length];
    for (int i = 0; i < code.length; i++) {
      bytes[i] = (byte) code[i];
    }
    return bytes;
  }

  /** The helper's file, for the initializer. */
  @Override
  public InputStream getResourceAsStream(@Nullable String unused) {
    return new ByteArrayInputStream(file);
  }

  /** Takes the helper's object. */
  @Override
  public void accept(Consumer<byte[]> handed) {
    definer = handed;
  }
}
