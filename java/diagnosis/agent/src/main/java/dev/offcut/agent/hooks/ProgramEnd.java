package dev.offcut.agent.hooks;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.base.concurrent.ExitCode;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.agent.publish.Ledger;
import java.io.IOException;
import java.lang.reflect.Method;

/**
 * How the program ended: whether the JVM's launcher could call its main method at all, what that
 * method threw, and the exit code. Of a program that ended early, counts of zero say little.
 *
 * <p>A handler of the main thread notes what nobody caught, and lets the JVM go on as it would. The
 * exit code is noted where every exit passes: {@code System.exit}, and the end by a signal. There,
 * and where the JVM ends by itself, the shutdown begins.
 */
public final class ProgramEnd implements Thread.UncaughtExceptionHandler {
  /** The class that every exit passes. */
  static final String NAME = "java/lang/Shutdown";

  /** Of the main method's exception; empty: it threw none, or caught it. */
  private static volatile String uncaught = "";

  private ProgramEnd() {}

  /** From here on what this thread, which will call the main method, throws is noted. */
  public static void watchMain() {
    Thread.currentThread().setUncaughtExceptionHandler(new ProgramEnd());
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    // Its message may be nobody else's business.
    uncaught = thrown.getClass().getName();
    ThreadGroup group = thread.getThreadGroup();
    if (group != null) {
      group.uncaughtException(thread, thrown); // as if there were no handler
    }
  }

  static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    Code exit = patch.method("exit", "(I)V");
    exit.insert(
        0,
        Patch.join(Insns.of(Opcode.ILOAD_0), patch.call(Tracking.EXIT_CODE, "exited", "(I)V")),
        1);
    patch
        .method("shutdown", "()V") // the last non-daemon thread has ended
        .insert(0, patch.call(Tracking.EXIT_CODE, "ended", "()V"), 0);
    return patch.toBytes();
  }

  /** The main method looks before it returns: what its variables hold is in use until then. */
  static byte[] rewriteMain(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    for (Code main : patch.methods("main")) {
      main.insertBeforeEach(Opcode.RETURN, patch.call(Tracking.EXIT_CODE, "returning", "()V"), 0);
    }
    return patch.toBytes();
  }

  /** The class of the exception that ended the main method; empty: none is known. */
  public static String uncaught() {
    return uncaught;
  }

  /** What the program gave to {@code System.exit}, or 128 and a signal's number. */
  public static int exitCode() {
    return ExitCode.get();
  }

  /** In words why the program did not start. Empty: it did, or it is not known that it did not. */
  public static String failure(Tracking tracking) {
    // Before the end it may be about to start; and who attaches finds one that runs.
    if (tracking.settings().late() || !Ledger.isEnding()) {
      return "";
    }
    String name;
    try {
      name = ProgramStart.mainClass();
    } catch (IOException | RuntimeException e) {
      return "";
    }
    return name == null ? "" : failure(name);
  }

  private static String failure(String name) {
    Class<?> main;
    try {
      main = Class.forName(name, false, ClassLoader.getSystemClassLoader());
    } catch (ClassNotFoundException e) {
      return "there is no class " + name;
    } catch (LinkageError e) {
      return e.toString();
    } catch (RuntimeException | Error e) {
      return ""; // no memory or no stack is left at the end: that says nothing of the beginning
    }
    try {
      return hasMain(main) ? "" : "the class " + name + " has no method main";
    } catch (RuntimeException | Error e) {
      return ""; // one of its methods names a class that is missing, which the program may bear
    }
  }

  /** By name alone: which of its forms the launcher takes depends on the JDK. */
  private static boolean hasMain(Class<?> main) {
    for (Class<?> type = main; type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("main")) {
          return true;
        }
      }
    }
    for (Method method : main.getMethods()) {
      if (method.getName().equals("main")) {
        return true; // an interface's
      }
    }
    return false;
  }
}
