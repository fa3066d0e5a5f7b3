package dev.offcut.retrofit.stream;

import dev.offcut.test.Trees;
import java.io.ObjectInputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Another agent, which guards a program against what it deserializes: what it puts first into the
 * methods that resolve classes asks {@link GuardedProgram}, which may throw.
 */
public final class GuardAgent implements ClassFileTransformer {
  private static volatile @Nullable Instrumentation instrumentation;
  private static final List<GuardAgent> ALL = new ArrayList<>();

  private final String label;

  private GuardAgent(String label) {
    this.label = label;
  }

  /** Before the program: as one that cannot retransform, and as one that can. */
  public static void premain(@Nullable String given, Instrumentation own) {
    instrumentation = own;
    add("once", false);
    add("again", true);
  }

  /** In a program that runs. */
  public static void agentmain(@Nullable String given, Instrumentation own) throws Exception {
    instrumentation = own;
    add("late", true);
    own.retransformClasses(ObjectInputStream.class);
  }

  private static void add(String label, boolean retransforming) {
    GuardAgent guard = new GuardAgent(label);
    ALL.add(guard);
    jvm().addTransformer(guard, retransforming);
  }

  private static Instrumentation jvm() {
    return Objects.requireNonNull(instrumentation);
  }

  /** Redefines the stream with the JDK's class file, with one guard more. */
  static void redefineGuarded() throws Exception {
    GuardAgent guard = new GuardAgent("redefined");
    jvm()
        .redefineClasses(
            new ClassDefinition(
                ObjectInputStream.class, guard.guarded(Trees.jdk(StreamClass.NAME))));
  }

  /** Redefines the stream with the JDK's class file as they are, without any guard. */
  static void redefineStock() throws Exception {
    for (GuardAgent guard : ALL) {
      jvm().removeTransformer(guard);
    }
    jvm()
        .redefineClasses(new ClassDefinition(ObjectInputStream.class, Trees.jdk(StreamClass.NAME)));
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    try {
      return StreamClass.NAME.equals(name) ? guarded(file) : null;
    } catch (Throwable e) {
      System.out.println("the guard failed: " + e);
      return null;
    }
  }

  /** Of a JDK that ASM may not know yet: what is read and written here is the same in all. */
  private byte[] guarded(byte[] file) {
    byte[] known = file.clone();
    known[7] = Opcodes.V17;
    byte[] changed = Trees.changed(known, this::guard);
    changed[7] = file[7];
    return changed;
  }

  private void guard(ClassNode type) {
    for (MethodNode method : type.methods) {
      if (method.name.equals("resolveClass") || method.name.equals("resolveProxyClass")) {
        method.instructions.insert(asking());
      }
    }
  }

  private InsnList asking() {
    InsnList asks = new InsnList();
    String of = "()Ljava/util/Properties;";
    asks.add(new MethodInsnNode(Opcodes.INVOKESTATIC, "java/lang/System", "getProperties", of));
    asks.add(new LdcInsnNode(GuardedProgram.GUARD));
    String get = "(Ljava/lang/Object;)Ljava/lang/Object;";
    asks.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, "java/util/Properties", "get", get));
    asks.add(new TypeInsnNode(Opcodes.CHECKCAST, "java/util/function/BiConsumer"));
    asks.add(new LdcInsnNode(label));
    asks.add(new VarInsnNode(Opcodes.ALOAD, 1));
    String accept = "(Ljava/lang/Object;Ljava/lang/Object;)V";
    asks.add(
        new MethodInsnNode(
            Opcodes.INVOKEINTERFACE, "java/util/function/BiConsumer", "accept", accept));
    return asks;
  }
}
