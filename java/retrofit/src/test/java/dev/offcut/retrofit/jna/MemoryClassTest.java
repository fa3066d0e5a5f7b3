package dev.offcut.retrofit.jna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.InsnMatch;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** What is taken for the known shape, and what is not. */
class MemoryClassTest {
  private static byte[] file(String jna, String name) throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.library(jna).toFile())) {
      return jar.getInputStream(jar.getEntry(name + ".class")).readAllBytes();
    }
  }

  private static byte[] changed(String name, Consumer<ClassNode> change) throws Exception {
    return Trees.changed(file("jna.jar", name), change);
  }

  private static void assertUnknown(Consumer<ClassNode> change, String why) throws Exception {
    byte[] file = changed(MemoryClass.NAME, change);
    assertThatThrownBy(() -> MemoryClass.rewrite(file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage(why);
  }

  private static FieldNode field(ClassNode type) {
    return Trees.field(type, "allocatedMemory");
  }

  @Test
  void rewrite_ofAKnownClass_changesNoMember() throws Exception {
    ClassNode before = Trees.read(file("jna.jar", MemoryClass.NAME));
    ClassNode after = Trees.read(MemoryClass.rewrite(file("jna.jar", MemoryClass.NAME)));
    assertThat(members(after)).isEqualTo(members(before));
  }

  private static List<String> members(ClassNode type) {
    List<String> members = new ArrayList<>();
    type.fields.forEach(f -> members.add(f.access + f.name + f.desc + f.signature));
    type.methods.forEach(m -> members.add(m.access + m.name + m.desc + m.signature));
    return members;
  }

  @Test
  void rewrite_ofItsOwnResult_isRefused() throws Exception {
    byte[] once = MemoryClass.rewrite(file("jna.jar", MemoryClass.NAME));
    assertThatThrownBy(() -> MemoryClass.rewrite(once)).isInstanceOf(UnknownShapeException.class);
  }

  @Test
  void rewrite_ofWhatIsNoClass_isRefused() {
    assertThatThrownBy(() -> MemoryClass.rewrite(new byte[] {1, 2, 3}))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessageStartingWith("not readable: ");
  }

  @Test
  void rewrite_ofAnOldClassFile_isRefused() throws Exception {
    byte[] file = file("jna.jar", MemoryClass.NAME);
    file[7] = Opcodes.V1_5;
    assertThatThrownBy(() -> MemoryClass.rewrite(file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage("class file of a Java before 6");
  }

  @Test
  void rewrite_withoutTheField_isRefused() throws Exception {
    assertUnknown(type -> field(type).name = "others", "no field allocatedMemory");
  }

  @Test
  void rewrite_ofAnotherField_isRefused() throws Exception {
    String why = "allocatedMemory is not a private static final Map";
    assertUnknown(type -> field(type).access &= ~Opcodes.ACC_FINAL, why);
    assertUnknown(type -> field(type).access &= ~Opcodes.ACC_PRIVATE, why);
    assertUnknown(type -> field(type).desc = "Ljava/util/concurrent/ConcurrentMap;", why);
  }

  @Test
  void rewrite_withAnotherMap_isRefused() throws Exception {
    assertUnknown(
        type -> {
          for (var insn : Trees.method(type, "<clinit>", "").instructions) {
            if (insn instanceof MethodInsnNode call && call.owner.endsWith("ConcurrentHashMap")) {
              call.owner = "java/util/concurrent/ConcurrentSkipListMap";
            }
          }
        },
        "the known code that makes allocatedMemory is in 0 places, not in 1");
  }

  @Test
  void rewrite_withAnotherUse_isRefused() throws Exception {
    assertUnknown(
        type -> {
          var code = Trees.method(type, "purge", "").instructions;
          code.insert(new InsnNode(Opcodes.POP));
          code.insert(
              new FieldInsnNode(
                  Opcodes.GETSTATIC, MemoryClass.NAME, "allocatedMemory", "Ljava/util/Map;"));
        },
        "allocatedMemory is used in 5 places, not in 4");
  }

  @Test
  void rewrite_withAJumpIntoAUse_isRefused() throws Exception {
    assertUnknown(
        type -> {
          var code = Trees.method(type, "access$000", "").instructions;
          for (var insn : code) {
            if (insn.getOpcode() == Opcodes.ARETURN) {
              code.insertBefore(
                  insn, new FrameNode(Opcodes.F_SAME, 0, new Object[0], 0, new Object[0]));
            }
          }
        },
        "the known code that gives away allocatedMemory is in 0 places, not in 1");
  }

  @Test
  void disposer_ofAKnownShape_boxesNothing() throws Exception {
    ClassFile after = ClassFile.read(DisposerClass.rewrite(file("jna.jar", DisposerClass.NAME)));
    assertThat(InsnMatch.count(after, MemoryClass.BOX)).isZero();
  }

  @Test
  void disposer_ofAnotherShape_isRefused() throws Exception {
    byte[] file =
        changed(DisposerClass.NAME, type -> Trees.method(type, "run", "").instructions.clear());
    assertThatThrownBy(() -> DisposerClass.rewrite(file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage("the known code that removes an address is in 0 places, not in 2");
  }
}
