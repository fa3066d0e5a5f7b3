package dev.offcut.agent.hooks.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.test.Trees;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.TypeReference;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeAnnotationNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Calls replaced in the code of the JDK, beside what ASM makes of the same change. */
class CodeTest {
  private static final String HELPER = "java/io/Helper";

  /** So many calls of each method are replaced, each alone. */
  private static final int CALLS = 6;

  @Test
  void addedMethod_ofANewName_isFoundByIt() throws Exception {
    ClassFile file = ClassFile.read(Trees.jdk("java/util/ArrayDeque"));
    file.addMethod(Member.PUBLIC | Member.NATIVE, "nameOfNone", "()V", null);
    assertThat(file.methods())
        .filteredOn(method -> method.is("nameOfNone", "()V"))
        .singleElement()
        .satisfies(
            method -> {
              assertThat(method.name()).isEqualTo("nameOfNone");
              assertThat(method.type()).isEqualTo("()V");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java/io/ObjectInputStream",
        "java/util/ArrayDeque",
        "java/util/ArrayList",
        "java/util/EnumMap",
        "java/util/HashMap",
        "java/util/IdentityHashMap",
        "java/util/TreeMap",
        "java/util/concurrent/ConcurrentHashMap",
        "java/util/concurrent/ConcurrentSkipListMap",
        "java/util/regex/Pattern",
        "java/math/BigInteger",
        "java/lang/Character",
        "sun/rmi/server/MarshalInputStream"
      })
  void callWith_inAnyMethod_movesAllThatIsBehind(String name) throws Exception {
    byte[] file = Trees.jdk(name);
    int replaced = 0;
    for (int which = 0; which < CALLS; which++) {
      ClassFile type = ClassFile.read(file);
      Map<String, Integer> done = replace(type, which);
      replaced += done.size();
      ClassNode expected = Trees.read(file);
      for (MethodNode method : expected.methods) {
        if (done.containsKey(method.name + method.desc)) {
          replace(method, which);
        }
      }
      assertThat(written(Trees.read(type.toBytes()))).isEqualTo(written(expected));
    }
    assertThat(replaced).isPositive();
  }

  /** Replaces in each method the call of that number; in which it was done. */
  private static Map<String, Integer> replace(ClassFile type, int which) throws Exception {
    int helper = type.constants().addMethod(HELPER, "help", "()V");
    Map<String, Integer> done = new HashMap<>();
    for (Member method : List.copyOf(type.methods())) {
      List<Calls.Call> calls = new Calls(type, List.of(method)).all();
      if (calls.size() > which) {
        Code code = method.copyOfCode();
        try {
          code.callWith(calls.get(which).at(), helper, Opcode.ALOAD_0);
        } catch (UnknownShapeException e) {
          assertThat(e).hasMessage("a method jumps far, or by a switch");
          continue;
        }
        method.setCode(code);
        done.put(method.name() + method.type(), which);
      }
    }
    return done;
  }

  private static void replace(MethodNode method, int which) {
    int seen = 0;
    for (AbstractInsnNode insn : method.instructions.toArray()) {
      if (insn instanceof MethodInsnNode call
          && call.getOpcode() != Opcodes.INVOKEINTERFACE
          && seen++ == which) {
        method.instructions.insertBefore(call, new VarInsnNode(Opcodes.ALOAD, 0));
        method.instructions.set(
            call, new MethodInsnNode(Opcodes.INVOKESTATIC, HELPER, "help", "()V"));
        method.maxStack++;
      }
    }
  }

  private static final long SEED = Long.getLong("offcut.seed", System.nanoTime());

  private static final int METHODS = 40;

  private static final int PLACES = 3;

  @Test
  void insert_intoGeneratedMethods_isWhatAsmMakes() throws Exception {
    System.out.println("-Dtest.jvm.args=-Doffcut.seed=" + SEED);
    for (int i = 0; i < METHODS; i++) {
      assertInserted(i, false);
    }
  }

  /** Those that are padded stay so. */
  @Test
  void insert_ofFoursIntoGeneratedMethodsWithSwitches_isWhatAsmMakes() throws Exception {
    for (int i = 0; i < METHODS; i++) {
      assertInserted(i, true);
    }
  }

  private static void assertInserted(int number, boolean switches) throws Exception {
    Random random = new Random(SEED + number);
    byte[] file = GeneratedCode.make(random, switches);
    int count = real(run(Trees.read(file))).size();
    // An object that is not initialized is named by its place: so there, each time.
    Set<Integer> places = new TreeSet<>(news(run(Trees.read(file))));
    for (int more = 0; more < PLACES; more++) {
      places.add(random.nextInt(count));
    }
    for (int place : places) {
      int nops = switches ? 1 + 4 * random.nextInt(17) : random.nextInt(70);
      assertInserted(file, place, nops);
    }
  }

  private static void assertInserted(byte[] file, int which, int nops) throws Exception {
    ClassFile type = ClassFile.read(file);
    Code code = run(type).code();
    int tick = type.constants().addMethod(GeneratedCode.HELPER, GeneratedCode.TICK, "()V");
    byte[] added = new byte[3 + nops];
    added[0] = (byte) Opcode.INVOKESTATIC;
    BigEndian.put2(added, 1, tick);
    int at = 0;
    for (int left = which; left > 0; left--) {
      at = code.after(at);
    }
    code.insert(at, added, 0);
    byte[] inserted = type.toBytes();

    ClassNode expected = Trees.read(file);
    insert(run(expected), which, nops);
    assertThat(written(Trees.read(inserted)))
        .as("seed %d, instruction %d", SEED, which)
        .isEqualTo(written(expected));
    for (int argument : new int[] {0, 4000}) {
      assertThat(result(inserted, argument)).isEqualTo(result(file, argument));
    }
  }

  /** As ASM writes it: its own constants alone, and no labels. */
  private static byte[] written(ClassNode type) {
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static Member run(ClassFile type) throws UnknownShapeException {
    int access = Member.PUBLIC | Member.STATIC;
    return type.method(GeneratedCode.METHOD, GeneratedCode.TYPE, access);
  }

  private static MethodNode run(ClassNode type) {
    return Trees.method(type, GeneratedCode.METHOD, GeneratedCode.TYPE);
  }

  private static List<AbstractInsnNode> real(MethodNode method) {
    List<AbstractInsnNode> real = new ArrayList<>();
    for (AbstractInsnNode insn : method.instructions) {
      if (insn.getOpcode() >= 0) {
        real.add(insn);
      }
    }
    return real;
  }

  private static List<Integer> news(MethodNode method) {
    List<AbstractInsnNode> all = real(method);
    return IntStream.range(0, all.size())
        .filter(i -> all.get(i).getOpcode() == Opcodes.NEW)
        .boxed()
        .toList();
  }

  private static void insert(MethodNode method, int which, int nops) {
    AbstractInsnNode before = real(method).get(which);
    InsnList added = new InsnList();
    String owner = GeneratedCode.HELPER;
    added.add(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, GeneratedCode.TICK, "()V"));
    for (int left = nops; left > 0; left--) {
      added.add(new InsnNode(Opcodes.NOP));
    }
    // Frames name the instruction that makes an object by the label before it.
    LabelNode made = new LabelNode();
    added.add(made);
    Set<Object> old = new HashSet<>();
    for (AbstractInsnNode insn = before.getPrevious();
        insn != null && insn.getOpcode() < 0;
        insn = insn.getPrevious()) {
      old.add(insn);
    }
    method.instructions.insertBefore(before, added);
    for (AbstractInsnNode insn : method.instructions) {
      if (insn instanceof FrameNode frame) {
        frame.local.replaceAll(type -> old.contains(type) ? made : type);
        frame.stack.replaceAll(type -> old.contains(type) ? made : type);
      }
    }
  }

  /** Of a class of its own, which the JVM verifies. */
  private static Object result(byte[] file, int argument) throws Exception {
    class Alone extends ClassLoader {
      Alone() {
        super(CodeTest.class.getClassLoader());
      }

      Class<?> define() {
        return defineClass(GeneratedCode.NAME.replace('/', '.'), file, 0, file.length);
      }
    }

    Method run = new Alone().define().getMethod(GeneratedCode.METHOD, int.class);
    try {
      return run.invoke(null, argument);
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause());
    }
  }

  @Test
  void insert_intoGeneratedMethodsWithSwitches_isRefused() throws Exception {
    for (int i = 0; i < METHODS; i++) {
      ClassFile type = ClassFile.read(GeneratedCode.make(new Random(SEED + i), true));
      Code code = run(type).code();
      assertThatThrownBy(() -> code.insert(0, new byte[1], 0))
          .as("seed %d", SEED + i)
          .isInstanceOf(UnknownShapeException.class)
          .hasMessage("a method jumps far, or by a switch");
    }
  }

  @Test
  void texts_ofGeneratedMethods_areAsManyAsAsmReads() throws Exception {
    for (int i = 0; i < METHODS; i++) {
      byte[] file = GeneratedCode.make(new Random(SEED + i), true);
      assertThat(run(ClassFile.read(file)).code().texts())
          .as("seed %d", SEED + i)
          .hasSameSizeAs(real(run(Trees.read(file))));
    }
  }

  @Test
  void callWith_besideAnUnknownAttribute_isRefused() throws Exception {
    byte[] file =
        Trees.changed(
            Trees.jdk("java/util/ArrayList"),
            type -> {
              int place = TypeReference.newTypeReference(TypeReference.NEW).getValue();
              MethodNode read = Trees.method(type, "readObject", "");
              for (AbstractInsnNode insn : read.instructions) {
                insn.visibleTypeAnnotations =
                    List.of(new TypeAnnotationNode(place, null, "LAnnotation;"));
              }
            });
    ClassFile list = ClassFile.read(file);
    Member read = list.method("readObject", "(Ljava/io/ObjectInputStream;)V", Member.PRIVATE);
    Calls.Call call = new Calls(list, List.of(read)).all().get(0);
    assertThatThrownBy(() -> read.code().callWith(call.at(), 1, Opcode.ALOAD_0))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage("a method has RuntimeVisibleTypeAnnotations");
  }

  @Test
  void toBytes_ofAnUnchangedClass_areTheSame() throws Exception {
    byte[] file = Trees.jdk("java/io/ObjectInputStream");
    assertThat(ClassFile.read(file).toBytes()).isEqualTo(file);
  }
}
