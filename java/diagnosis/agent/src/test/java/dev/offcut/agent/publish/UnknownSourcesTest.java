package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.agent.hooks.NativeClass;
import dev.offcut.agent.hooks.PatchedClasses;
import dev.offcut.agent.hooks.Recorded;
import dev.offcut.agent.hooks.Source;
import dev.offcut.agent.hooks.TrackedProgram;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The classes of all sources as they are, and doctored: then they are refused, and why. */
class UnknownSourcesTest {
  private static final int ARENAS = 25;

  private static final String NO_ARENAS = "arenas are not tracked on this JDK";

  /** Those that this JDK has. */
  private static List<Source> sources() {
    List<Source> sources = new ArrayList<>(List.of(Source.values()));
    if (Runtime.version().feature() < ARENAS) {
      sources.remove(Source.ARENAS);
    }
    if (!PatchedClasses.LinkerClass.isThere()) {
      sources.remove(Source.DOWNCALLS);
    }
    return sources;
  }

  /** The classes of a source that this JDK has. */
  private static List<String> classes(Source source) {
    List<String> names = new ArrayList<>(source.classes());
    names.removeIf(
        name ->
            source.mayBeMissing(name) && Object.class.getResource("/" + name + ".class") == null);
    return names;
  }

  @ParameterizedTest
  @MethodSource("sources")
  void known_areRewritten_byWhomeverWritten(Source source) throws Exception {
    for (String name : classes(source)) {
      byte[] file = Trees.jdk(name);
      byte[] again = Trees.changed(file, type -> {});
      byte[] rewritten = source.rewrite(name, file);
      assertThat(source.rewrite(name, again) == null).as(name).isEqualTo(rewritten == null);
      if (rewritten != null && source != Source.JNA_MALLOC) {
        // As a loaded class demands: bodies only.
        assertThat(members(rewritten)).as(name).isEqualTo(members(file));
      }
    }
  }

  private static List<String> members(byte[] file) {
    ClassNode type = Trees.read(file);
    List<String> members = new ArrayList<>();
    type.fields.forEach(field -> members.add(field.access + field.name + field.desc));
    type.methods.forEach(method -> members.add(method.access + method.name + method.desc));
    return members;
  }

  @ParameterizedTest
  @MethodSource("sources")
  void cutOff_areRefused(Source source) {
    for (String name : classes(source)) {
      byte[] file = Trees.jdk(name);
      for (int length = 0; length < file.length; length += 1 + file.length / 50) {
        byte[] part = Arrays.copyOf(file, length);
        assertThatThrownBy(() -> source.rewrite(name, part))
            .as("%d bytes of %s", length, name)
            .isInstanceOf(UnknownShapeException.class)
            .hasMessageStartingWith("not readable: ");
      }
    }
  }

  /** Each method that is changed, without what is looked for in it, and with it twice. */
  @ParameterizedTest
  @CsvSource({
    "BUFFERS,java/nio/DirectByteBuffer$Deallocator,run,freeMemory",
    "UNSAFE,sun/misc/Unsafe,allocateMemory,allocateMemory",
    "UNSAFE,sun/misc/Unsafe,reallocateMemory,reallocateMemory",
    "UNSAFE,sun/misc/Unsafe,freeMemory,freeMemory",
    "JNA,com/sun/jna/Memory$MemoryDisposer,run,free",
    "CLEANERS,jdk/internal/ref/CleanerImpl,run,clean",
    "FINALIZERS,java/lang/ref/Finalizer,runFinalizer,invokeFinalize",
    "FORCED,java/nio/Bits,reserveMemory,gc"
  })
  void callMissingOrTwice_isRefused(Source source, String name, String method, String called) {
    assertCallIsNeeded(source, name, method, called);
  }

  @ParameterizedTest
  @ValueSource(strings = {"malloc", "free"})
  void nativeMethodOfJnaMissing_isRefused(String name) {
    byte[] file =
        Trees.changed(
            Trees.jdk(NativeClass.NAME),
            type -> type.methods.removeIf(method -> method.name.equals(name)));
    assertThatThrownBy(() -> Source.JNA_MALLOC.rewrite(NativeClass.NAME, file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessageContaining("no method " + name);
  }

  @Test
  @EnabledForJreRange(minVersion = 22, disabledReason = "an older JDK has no linker")
  void callOfLinkerMissingOrTwice_isRefused() {
    assertCallIsNeeded(
        Source.DOWNCALLS, PatchedClasses.LinkerClass.NAME, "downcallHandle", "downcallHandle0");
  }

  @ParameterizedTest
  @EnabledForJreRange(minVersion = ARENAS, disabledReason = NO_ARENAS)
  @CsvSource({
    "jdk/internal/foreign/MemorySessionImpl$ResourceList,run,cleanup",
    "jdk/internal/foreign/ConfinedSession,<init>,<init>",
    "jdk/internal/foreign/SharedSession,<init>,<init>"
  })
  void callOfArenasMissingOrTwice_isRefused(String name, String method, String called) {
    assertCallIsNeeded(Source.ARENAS, name, method, called);
  }

  private static void assertCallIsNeeded(Source source, String name, String method, String called) {
    assertRefused(source, name, type -> call(type, method, called).name += "Otherwise");
    assertRefused(
        source,
        name,
        type -> {
          InsnList more = new InsnList();
          MethodInsnNode call = call(type, method, called);
          more.add(
              new MethodInsnNode(call.getOpcode(), call.owner, call.name, call.desc, call.itf));
          Trees.method(type, method, "").instructions.add(more);
        });
  }

  private static MethodInsnNode call(ClassNode type, String method, String called) {
    for (AbstractInsnNode insn : Trees.method(type, method, "").instructions) {
      if (insn instanceof MethodInsnNode call && call.name.equals(called)) {
        return call;
      }
    }
    throw new AssertionError("no call of " + called + " in " + method);
  }

  private static void assertRefused(Source source, String name, Consumer<ClassNode> change) {
    byte[] file = doctored(name, change);
    assertThatThrownBy(() -> source.rewrite(name, file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessageContaining("places, not in 1");
  }

  /** Without computing what the JVM would: such a class is never run. */
  private static byte[] doctored(String name, Consumer<ClassNode> change) {
    ClassNode type = Trees.read(Trees.jdk(name));
    change.accept(type);
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "BUFFERS,java/nio/DirectByteBuffer$Deallocator,address",
    "JNA,com/sun/jna/Memory$MemoryDisposer,peer"
  })
  void fieldMissing_isRefused(Source source, String name, String field) {
    assertFieldIsNeeded(source, name, field);
  }

  @ParameterizedTest
  @EnabledForJreRange(minVersion = ARENAS, disabledReason = NO_ARENAS)
  @CsvSource({
    "jdk/internal/foreign/MemorySessionImpl,resourceList",
    "jdk/internal/foreign/MemorySessionImpl$ResourceList,fst",
    "jdk/internal/foreign/MemorySessionImpl$ResourceList$ResourceCleanup,next",
    "jdk/internal/foreign/MemorySessionImpl$ResourceList$ResourceCleanup,CLOSED_LIST",
    "jdk/internal/foreign/SegmentFactories$1,val$allocationSize"
  })
  void fieldOfArenasMissing_isRefused(String name, String field) {
    assertFieldIsNeeded(Source.ARENAS, name, field);
  }

  private static void assertFieldIsNeeded(Source source, String name, String field) {
    byte[] file = doctored(name, type -> type.fields.removeIf(found -> found.name.equals(field)));
    assertThatThrownBy(() -> source.rewrite(name, file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage("no field " + field);
  }

  /** A JDK whose class has another shape: one line, its source stands down, the others do not. */
  @Test
  void otherJdk_standsDownWithOneLine(@TempDir Path folder) throws Exception {
    Path patch = folder.resolve("patch/java/nio");
    Files.createDirectories(patch);
    byte[] file =
        Trees.changed(
            Trees.jdk(PatchedClasses.BufferClasses.NAME),
            type -> {
              // One that frees nothing, before the one that is known.
              MethodInsnNode free = call(type, "run", "freeMemory");
              InsnList more = new InsnList();
              MethodNode run = Trees.method(type, "run", "");
              for (AbstractInsnNode insn : run.instructions) {
                if (insn.getOpcode() == Opcodes.GETSTATIC) {
                  more.add(insn.clone(Map.of()));
                  more.add(new InsnNode(Opcodes.LCONST_0));
                  more.add(
                      new MethodInsnNode(
                          free.getOpcode(), free.owner, free.name, free.desc, free.itf));
                }
              }
              run.instructions.insert(more);
            });
    Files.write(patch.resolve("DirectByteBuffer$Deallocator.class"), file);
    Recorded recorded =
        Recorded.run(
            folder,
            AgentJvm.with("--patch-module", "java.base=" + folder.resolve("patch")),
            TrackedProgram.class,
            "level=full",
            1,
            1000,
            "buffer.direct",
            "cleaner");
    String problem =
        "direct buffers: java.nio.DirectByteBuffer$Deallocator has an unknown shape (invokevirtual"
            + " jdk/internal/misc/Unsafe.freeMemory(J)V in 2 places, not in 1); not tracked";
    assertThat(recorded.output.said()).containsExactly("offcut: " + problem);
    assertThat(recorded.kinds()).doesNotContainKey("buffer.direct");
    assertThat(recorded.kind("cleaner")).isEqualTo("opened 1500 closed 500 collected 1000");
    assertThat(recorded.all("AgentConfiguration").get(0).getString("stoodDown")).contains(problem);
    assertThat(recorded.output.out()).containsExactly("done");
  }
}
