package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.List;

/** The JDK's cleaners: where the program registers, and where their threads clean. */
final class CleanerClasses {
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
            Patch.bytes(Insns.ALOAD_0, Insns.ALOAD_2),
            patch.call(Tracking.REGISTRATIONS, "of", type),
            Patch.bytes(Insns.ASTORE_2)),
        2);
    return patch.toBytes();
  }

  private static byte[] loop(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    Code run = patch.method("run", "()V");
    String clean = "invokeinterface " + CLEANABLE + ".clean()V";
    patch.place(run, clean);
    patch.replaceInterfaceCall(clean, Tracking.REGISTRATIONS, "clean", "(L" + CLEANABLE + ";)V");
    return patch.toBytes();
  }
}
