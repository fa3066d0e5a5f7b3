package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.retrofit.base.io.KnownCollections;
import dev.offcut.test.Trees;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** The JDK's class doctored, a thing at a time: the rewriter stands down, and says in what. */
class UnknownShapesTest {
  private static final String LOADER = "()Ljava/lang/ClassLoader;";
  private static final String WALK = "latestUserDefinedLoader";
  private static final String DESC = "(Z)Ljava/io/ObjectStreamClass;";

  private static void assertUnknown(Consumer<ClassNode> change, String why) {
    byte[] file = Trees.changed(Trees.jdk(StreamClass.NAME), change);
    assertThatThrownBy(() -> StreamClass.rewrite(file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage(why);
  }

  private static MethodInsnNode call(MethodNode method, String name) {
    for (AbstractInsnNode insn : method.instructions) {
      if (insn instanceof MethodInsnNode call && call.name.equals(name)) {
        return call;
      }
    }
    throw new AssertionError("no call of " + name + " in " + method.name);
  }

  private static MethodInsnNode copy(MethodInsnNode call) {
    return new MethodInsnNode(call.getOpcode(), call.owner, call.name, call.desc, call.itf);
  }

  private static InsnNode pushNull() {
    return new InsnNode(Opcodes.ACONST_NULL);
  }

  private static void putFirst(MethodNode method, AbstractInsnNode... insns) {
    InsnList first = new InsnList();
    List.of(insns).forEach(first::add);
    method.instructions.insert(first);
  }

  /** Puts a call that leaves one word in front of a method, and takes the word away. */
  private static void callFirst(MethodNode method, MethodInsnNode call) {
    putFirst(method, call, new InsnNode(Opcodes.POP));
  }

  private static void askFirst(MethodNode method, MethodInsnNode forName) {
    callFirst(method, forName);
    putFirst(method, pushNull(), new InsnNode(Opcodes.ICONST_0), pushNull());
  }

  private static void resolveFirst(MethodNode method, MethodInsnNode resolve) {
    callFirst(method, resolve);
    putFirst(method, new VarInsnNode(Opcodes.ALOAD, 0), pushNull());
  }

  private static MethodInsnNode walk(String owner) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, WALK, LOADER);
  }

  /** So that the doctored ones are refused for what was done, not for having been written anew. */
  @Test
  void known_isRewritten_alsoIfSomebodyElseWroteIt() throws Exception {
    byte[] file = Trees.jdk(StreamClass.NAME);
    assertThat(StreamClass.rewrite(file)).isNotEmpty();
    assertThat(StreamClass.rewrite(Trees.changed(file, type -> {}))).isNotEmpty();
  }

  @Test
  void rewritten_areNotRewrittenAgain() throws Exception {
    byte[] stream = StreamClass.rewrite(Trees.jdk(StreamClass.NAME));
    assertThatThrownBy(() -> StreamClass.rewrite(stream)).isInstanceOf(UnknownShapeException.class);
  }

  @Test
  void cutOff_isRefused() {
    byte[] file = Trees.jdk(StreamClass.NAME);
    for (int length = 0; length < file.length; length += 1 + file.length / 500) {
      byte[] part = Arrays.copyOf(file, length);
      assertThatThrownBy(() -> StreamClass.rewrite(part))
          .as("%d bytes", length)
          .isInstanceOf(UnknownShapeException.class)
          .hasMessageStartingWith("not readable: ");
    }
  }

  private static Arguments refused(String what, Consumer<ClassNode> change, String why) {
    return Arguments.of(what, change, why);
  }

  static List<Arguments> refused() {
    return List.of(
        refused(
            "walkingOnceMore",
            type -> callFirst(Trees.method(type, "readBoolean", ""), walk(StreamClass.NAME)),
            "it does not walk in the 2 places that are known"),
        refused(
            "askingTheVmTwice",
            type -> callFirst(Trees.method(type, WALK, ""), walk("jdk/internal/misc/VM")),
            "it does not walk in the 2 places that are known"),
        refused(
            "askingTheVmElsewhere",
            type -> {
              MethodNode walk = Trees.method(type, WALK, "");
              walk.instructions.set(call(walk, WALK), new InsnNode(Opcodes.ACONST_NULL));
              callFirst(Trees.method(type, "readBoolean", ""), walk("jdk/internal/misc/VM"));
            },
            "it does not walk in the 2 places that are known"),
        refused(
            "walkingTwiceInOneMethod",
            type -> {
              MethodNode proxies = Trees.method(type, "resolveProxyClass", "");
              proxies.instructions.set(call(proxies, WALK), new InsnNode(Opcodes.ACONST_NULL));
              callFirst(Trees.method(type, "resolveClass", ""), walk(StreamClass.NAME));
            },
            "resolveClass does not walk once and ask the loader once"),
        refused(
            "askingTheLoaderTwice",
            type -> {
              MethodNode resolve = Trees.method(type, "resolveClass", "");
              askFirst(resolve, copy(call(resolve, "forName")));
            },
            "resolveClass does not walk once and ask the loader once"),
        refused(
            "notAskingTheLoader",
            type -> call(Trees.method(type, "resolveProxyClass", ""), "forName").name = "forOther",
            "resolveProxyClass does not walk once and ask the loader once"),
        refused(
            "askingBeforeItWalks",
            type -> {
              MethodNode resolve = Trees.method(type, "resolveClass", "");
              MethodInsnNode forName = call(resolve, "forName");
              askFirst(resolve, copy(forName));
              forName.name = "forOther";
            },
            "resolveClass does not walk once and ask the loader once"),
        refused(
            "withAnEntryMore",
            type -> {
              MethodNode more = new MethodNode(Opcodes.ACC_PUBLIC, "readMore", "()V", null, null);
              putFirst(more, new InsnNode(Opcodes.RETURN));
              callFirst(more, copy(call(Trees.method(type, "readClassDesc", ""), "readProxyDesc")));
              putFirst(more, new VarInsnNode(Opcodes.ALOAD, 0), new InsnNode(Opcodes.ICONST_0));
              type.methods.add(more);
            },
            "classes are resolved from [readMore()V, readObject()Ljava/lang/Object;,"
                + " readUnshared()Ljava/lang/Object;]"),
        refused(
            "openedDeepDown",
            type -> Trees.method(type, "readOrdinaryObject", "").access &= ~Opcodes.ACC_PRIVATE,
            "classes are resolved from [readObject()Ljava/lang/Object;,"
                + " readOrdinaryObject(Z)Ljava/lang/Object;, readUnshared()Ljava/lang/Object;]"),
        refused(
            "readingInMoreThanOneCall",
            type ->
                putFirst(
                    Trees.method(type, "readObject", "()"),
                    new InsnNode(Opcodes.ICONST_0),
                    new InsnNode(Opcodes.POP)),
            "readObject is not one call"),
        refused(
            "readingInMoreThanOneCall",
            type -> {
              MethodNode read = Trees.method(type, "readObject", "()");
              for (AbstractInsnNode insn : read.instructions) {
                if (insn instanceof LdcInsnNode constant) {
                  constant.cst = Type.getObjectType("java/lang/String");
                }
              }
            },
            "readObject is not one call"),
        refused(
            "notReadingThroughIt",
            type -> call(Trees.method(type, "readObject", "()"), "readObject").name = "other",
            "classes are resolved from [readUnshared()Ljava/lang/Object;]"),
        refused(
            "thatCanDoMore",
            type ->
                type.visitMethod(
                    Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "more", "()V", null, null),
            CAN_DO
                + "[more()V][setJavaObjectInputStreamAccess"
                + "(Ljdk/internal/access/JavaObjectInputStreamAccess;)V,"
                + " setJavaObjectInputStreamReadString"
                + "(Ljdk/internal/access/JavaObjectInputStreamReadString;)V]"),
        refused(
            "thatGivesLess",
            type -> call(Trees.method(type, "<clinit>", ""), GIVES).name = "setOther",
            CAN_DO
                + "[][setJavaObjectInputStreamReadString"
                + "(Ljdk/internal/access/JavaObjectInputStreamReadString;)V,"
                + " setOther(Ljdk/internal/access/JavaObjectInputStreamAccess;)V]"),
        refused(
            "thatHasNoOverride",
            type -> Trees.field(type, StreamClass.OVERRIDE).desc = "I",
            "no field enableOverride as known"),
        refused(
            "lettingAnObjectReadElsewhere",
            type ->
                call(Trees.method(type, "readSerialData", ""), "invokeReadObject").name = "other",
            "readSerialData does not call invokeReadObject once"),
        refused(
            "lettingAnObjectReadTwice",
            type -> {
              MethodNode data = Trees.method(type, "readSerialData", "");
              putFirst(data, copy(call(data, "invokeReadObject")));
              putFirst(data, pushNull(), pushNull(), pushNull());
            },
            "readSerialData does not call invokeReadObject once"),
        refused(
            "notAskingTheFilterForAnArray",
            type -> call(Trees.method(type, "checkArray", ""), "filterCheck").name = "other",
            "checkArray does not call filterCheck once"),
        refused(
            "withAFilterOfAnotherShape",
            type -> Trees.method(type, "filterCheck", "").access |= Opcodes.ACC_FINAL,
            "no method filterCheck(Ljava/lang/Class;I)V as known"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void stream_ofAnotherShape_isRefused(String what, Consumer<ClassNode> change, String why) {
    assertUnknown(change, why);
  }

  @ParameterizedTest
  @CsvSource({"resolveClass,0", "resolveClass,1", "resolveProxyClass,0", "resolveProxyClass,1"})
  void stream_writingToItsArguments_isRefused(String method, int variable) {
    assertUnknown(
        type ->
            putFirst(
                Trees.method(type, method, ""),
                new VarInsnNode(Opcodes.ALOAD, variable),
                new VarInsnNode(Opcodes.ASTORE, variable)),
        method + " writes to its arguments");
  }

  @ParameterizedTest
  @CsvSource({
    "latestUserDefinedLoader,()Ljava/lang/ClassLoader;",
    "readObject,()Ljava/lang/Object;",
    "readObject,(Ljava/lang/Class;)Ljava/lang/Object;",
    "readString,()Ljava/lang/String;",
    "readUnshared,()Ljava/lang/Object;",
    "defaultReadObject,()V",
    "readFields,()Ljava/io/ObjectInputStream$GetField;",
    "resolveClass,(Ljava/io/ObjectStreamClass;)Ljava/lang/Class;",
    "resolveProxyClass,([Ljava/lang/String;)Ljava/lang/Class;",
    "readNonProxyDesc,(Z)Ljava/io/ObjectStreamClass;",
    "readProxyDesc,(Z)Ljava/io/ObjectStreamClass;"
  })
  void stream_withAnotherKindOfMethod_isRefused(String name, String desc) {
    assertUnknown(
        type -> Trees.method(type, name, desc).access |= Opcodes.ACC_SYNCHRONIZED,
        "no method " + name + desc + " as known");
  }

  @ParameterizedTest
  @CsvSource({"readNonProxyDesc,resolveClass", "readProxyDesc,resolveProxyClass"})
  void stream_notResolvingWhereItDid_isRefused(String caller, String called) {
    String why = caller + " does not call " + called + " once";
    assertUnknown(type -> call(Trees.method(type, caller, DESC), called).name = "other", why);
    assertUnknown(
        type -> {
          MethodInsnNode here = call(Trees.method(type, caller, DESC), called);
          MethodInsnNode moved = copy(here);
          here.name = "other";
          resolveFirst(Trees.method(type, "readBoolean", ""), moved);
        },
        why);
    assertUnknown(
        type -> {
          MethodNode method = Trees.method(type, caller, DESC);
          resolveFirst(method, copy(call(method, called)));
        },
        why);
  }

  @Test
  void stream_namingAMethodTwice_isRefused() throws Exception {
    ClassFile type = ClassFile.read(Trees.jdk(StreamClass.NAME));
    type.constants().addMethod(StreamClass.NAME, WALK, LOADER);
    byte[] file = type.toBytes();
    assertThatThrownBy(() -> StreamClass.rewrite(file))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage(WALK + LOADER + " is named twice");
  }

  private static final String CAN_DO = "it can do more or less than the agent knows: ";

  private static final String GIVES = "setJavaObjectInputStreamAccess";

  /**
   * All that a known collection does with its stream: it calls what {@code ElementStream} passes
   * on, or gives it to methods of its own, or to the one that has an array's length checked.
   */
  @Test
  void collections_doWhatIsKnownWithTheirStream() {
    for (String simple : KnownCollections.NAMES.split(",", -1)) {
      String name = (KnownCollections.PACKAGE + simple).replace('.', '/');
      for (MethodNode method : Trees.read(Trees.jdk(name)).methods) {
        for (AbstractInsnNode insn : method.instructions) {
          if (insn instanceof MethodInsnNode call) {
            assertKnownUse(name, call);
          } else if (insn instanceof FieldInsnNode field) {
            assertThat(field.desc).isNotEqualTo(STREAM);
          } else if (insn instanceof InvokeDynamicInsnNode lambda) {
            assertThat(lambda.desc).doesNotContain(STREAM);
          }
        }
      }
    }
  }

  private static final String STREAM = "L" + StreamClass.NAME + ";";

  private static void assertKnownUse(String name, MethodInsnNode call) {
    if (call.owner.equals(StreamClass.NAME)) {
      assertThat(call.name).as(name).isNotIn("getObjectInputFilter", "setObjectInputFilter");
    } else if (call.desc.contains(STREAM)) {
      String owner = call.owner;
      boolean own = owner.equals(name) || owner.startsWith("java/util/");
      assertThat(own || owner.equals("jdk/internal/access/JavaObjectInputStreamAccess"))
          .as("%s calls %s.%s", name, owner, call.name)
          .isTrue();
    }
  }
}
