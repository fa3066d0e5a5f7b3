package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * JDKs that work otherwise than those that are known, in classes that the agent neither changes nor
 * looks at: a sentence, not wrong figures.
 */
class ProofTest {
  private static final String SESSION = "jdk/internal/foreign/MemorySessionImpl";
  private static final String THREAD = "java/lang/Thread";

  /** What frees buffers until JDK 25. */
  private static final String OLD_CLEANER = "jdk/internal/ref/Cleaner";

  /** A local variable that nobody uses. */
  private static final int FREE = 5;

  /** A kind that this JDK has, and what the agent is to see of its probe. */
  private record Case(String kind, String source, String name, String seen) {}

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cases.add(
        new Case(
            "buffer.direct",
            "direct buffers",
            isThere(OLD_CLEANER) ? OLD_CLEANER : "java/nio/BufferCleaner$PhantomCleaner",
            "that was dropped: closed 2, not 1"));
    if (isThere(SESSION) && Runtime.version().feature() >= 25) { // from then on they are tracked
      // From JDK 28 on confined arenas are closed elsewhere.
      String kind = isThere(ArenaClasses.SLICING) ? "arena.shared" : "arena.confined";
      String seen = "that was opened and closed: closed 0, not 1";
      cases.add(new Case(kind, "arenas", SESSION, seen));
    }
    return cases;
  }

  private static boolean isThere(String name) {
    return Object.class.getResource("/" + name + ".class") != null;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void countedWrongly_isDisabledWithOneSentence(Case wrong, @TempDir Path folder) throws Exception {
    boolean buffers = wrong.kind.equals("buffer.direct");
    patch(folder, wrong.name, buffers ? ProofTest::freeElsewhere : ProofTest::closeOnly);
    Recorded recorded =
        Recorded.run(
            folder,
            AgentJvm.with("--patch-module", "java.base=" + folder.resolve("patch")),
            TrackedProgram.class,
            "level=count",
            1,
            100,
            wrong.kind,
            "cleaner");
    String sentence =
        wrong.source
            + ": "
            + wrong.kind
            + " is counted wrongly on this JDK (a probe "
            + wrong.seen
            + "); what was counted is unproven; not tracked";
    assertThat(recorded.output.said()).contains("offcut: " + sentence);
    assertThat(recorded.last(wrong.kind).getString("proof")).isEqualTo("refuted");
    // At the end it is collected only if something is open.
    assertThat(recorded.last("cleaner").getString("proof")).isIn("full", "closed");
    assertThat(recorded.kind("cleaner")).isEqualTo("opened 150 closed 50 collected 100");
    List<RecordedEvent> configurations = recorded.all("AgentConfiguration");
    assertThat(configurations.get(configurations.size() - 1).getString("stoodDown"))
        .contains(sentence);
    assertThat(recorded.output.out()).containsExactly("done");
  }

  @Test
  void collectedAndNotCounted_isSaid(@TempDir Path folder) throws Exception {
    String name = cases().get(0).name;
    patch(folder, name, ProofTest::freeNever);
    Recorded recorded =
        Recorded.run(
            folder,
            AgentJvm.with("--patch-module", "java.base=" + folder.resolve("patch")),
            TrackedProgram.class,
            "level=count",
            1,
            100,
            "buffer.direct");
    assertThat(recorded.last("buffer.direct").getString("proof")).isEqualTo("missed");
  }

  private static void patch(Path folder, String name, Consumer<ClassNode> change) throws Exception {
    Path file = folder.resolve("patch").resolve(name + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, Trees.changed(Trees.jdk(name), change));
  }

  /** What the JDK's threads free is freed by a thread made for it. */
  private static void freeElsewhere(ClassNode type) {
    free(type, true);
  }

  /** What the JDK's threads should free is never freed. */
  private static void freeNever(ClassNode type) {
    free(type, false);
  }

  private static void free(ClassNode type, boolean elsewhere) {
    InsnList insns = Trees.method(type, "clean", "").instructions;
    for (AbstractInsnNode insn : insns) {
      if (insn instanceof MethodInsnNode run && run.name.equals("run")) {
        LabelNode here = new LabelNode();
        LabelNode end = new LabelNode();
        InsnList before = new InsnList();
        jumpUnlessFreer(type, before, here);
        before.add(new VarInsnNode(Opcodes.ASTORE, FREE));
        if (elsewhere) {
          before.add(new TypeInsnNode(Opcodes.NEW, THREAD));
          before.add(new InsnNode(Opcodes.DUP));
          before.add(new VarInsnNode(Opcodes.ALOAD, FREE));
          call(before, Opcodes.INVOKESPECIAL, "<init>", "(Ljava/lang/Runnable;)V");
          before.add(new InsnNode(Opcodes.DUP));
          call(before, Opcodes.INVOKEVIRTUAL, "start", "()V");
          call(before, Opcodes.INVOKEVIRTUAL, "join", "()V");
        }
        before.add(new JumpInsnNode(Opcodes.GOTO, end));
        before.add(here);
        before.add(frame(type, "java/lang/Runnable"));
        insns.insertBefore(run, before);
        InsnList after = new InsnList();
        after.add(end);
        after.add(frame(type));
        insns.insert(run, after);
        return;
      }
    }
    throw new AssertionError("nothing is run");
  }

  /** Jumps in threads that try probes, not in the one that frees what was collected. */
  private static void jumpUnlessFreer(ClassNode type, InsnList insns, LabelNode target) {
    call(insns, Opcodes.INVOKESTATIC, "currentThread", "()L" + THREAD + ";");
    if (type.name.equals(OLD_CLEANER)) {
      call(insns, Opcodes.INVOKEVIRTUAL, "getPriority", "()I");
      insns.add(new IntInsnNode(Opcodes.BIPUSH, Thread.NORM_PRIORITY));
      insns.add(new JumpInsnNode(Opcodes.IF_ICMPLE, target));
    } else { // from JDK 26 on it is of no higher priority, but of a class of its own
      insns.add(new TypeInsnNode(Opcodes.INSTANCEOF, "jdk/internal/misc/InnocuousThread"));
      insns.add(new JumpInsnNode(Opcodes.IFEQ, target));
    }
  }

  private static FrameNode frame(ClassNode type, Object... stack) {
    return new FrameNode(Opcodes.F_NEW, 1, new Object[] {type.name}, stack.length, stack);
  }

  private static void call(InsnList insns, int opcode, String name, String type) {
    insns.add(new MethodInsnNode(opcode, THREAD, name, type, false));
  }

  /** A session is closed, and nothing is freed. */
  private static void closeOnly(ClassNode type) {
    InsnList insns = Trees.method(type, "close", "").instructions;
    for (AbstractInsnNode insn : insns) {
      if (insn instanceof MethodInsnNode call && call.name.equals("cleanup")) {
        insns.set(call, new InsnNode(Opcodes.POP));
        return;
      }
    }
    throw new AssertionError("nothing is freed");
  }
}
