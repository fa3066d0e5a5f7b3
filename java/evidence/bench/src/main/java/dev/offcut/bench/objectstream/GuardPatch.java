package dev.offcut.bench.objectstream;

import static java.lang.constant.ConstantDescs.CD_boolean;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The guard that was proposed for JDK-8246633, made afresh from its idea: as long as no class
 * loader but the JDK's own was constructed, the answer is the loader of the application, and nobody
 * walks. Two classes of java.base, rewritten, for {@code --patch-module}:
 *
 * <ul>
 *   <li>the constructor of ClassLoader sets a flag, but for the built-in loaders;
 *   <li>{@code VM.latestUserDefinedLoader} looks at it first.
 * </ul>
 *
 * <p>It was not taken, since the answer may be wrong: with frames of the JDK only, it is the
 * platform loader. It is here to be compared with.
 */
final class GuardPatch {
  /** The name of the flag: children look at it. */
  private static final String FLAG = "offcutBenchOwnLoader";

  private static final ClassDesc LOADER = ClassDesc.of("java.lang.ClassLoader");
  private static final ClassDesc VM = ClassDesc.of("jdk.internal.misc.VM");
  private static final ClassDesc LOADERS = ClassDesc.of("jdk.internal.loader.ClassLoaders");
  private static final ClassDesc BUILT_IN = ClassDesc.of("jdk.internal.loader.BuiltinClassLoader");

  private static final int SHARED_FLAG =
      ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE;
  private static final MethodTypeDesc TO_LOADER = MethodTypeDesc.of(LOADER);

  private GuardPatch() {}

  /** Writes the two classes. */
  static void writeTo(Path folder) throws IOException {
    Path base = Path.of(URI.create("jrt:/java.base"));
    write(folder, VM, withGuard(parse(base, VM)));
    write(folder, LOADER, withFlagSet(parse(base, LOADER)));
  }

  private static byte[] withGuard(ClassModel vm) throws IOException {
    Predicate<MethodModel> walk =
        method ->
            method.methodName().equalsString("latestUserDefinedLoader")
                && method.methodTypeSymbol().equals(TO_LOADER);
    require(vm, walk);
    ClassTransform flag =
        ClassTransform.endHandler(type -> type.withField(FLAG, CD_boolean, SHARED_FLAG));
    ClassTransform guard =
        ClassTransform.transformingMethodBodies(walk, atStart(GuardPatch::answerUnlessSet));
    return ClassFile.of().transformClass(vm, guard.andThen(flag));
  }

  private static void answerUnlessSet(CodeBuilder code) {
    code.getstatic(VM, FLAG, CD_boolean)
        .ifThen(
            Opcode.IFEQ, then -> then.invokestatic(LOADERS, "appClassLoader", TO_LOADER).areturn());
  }

  private static byte[] withFlagSet(ClassModel loader) throws IOException {
    Predicate<MethodModel> constructor =
        method ->
            method.methodName().equalsString(ConstantDescs.INIT_NAME)
                && method.methodTypeSymbol().parameterCount() == 3
                && method.methodTypeSymbol().parameterType(0).equals(ConstantDescs.CD_Void);
    require(loader, constructor);
    CodeTransform set =
        (code, element) -> {
          if (element instanceof ReturnInstruction) {
            setFlag(code);
          }
          code.with(element);
        };
    return ClassFile.of()
        .transformClass(loader, ClassTransform.transformingMethodBodies(constructor, set));
  }

  /** At the end of the constructor. */
  private static void setFlag(CodeBuilder code) {
    Label end = code.newLabel();
    code.aload(0).instanceOf(BUILT_IN).ifne(end);
    code.iconst_1().putstatic(VM, FLAG, CD_boolean).labelBinding(end);
  }

  private static CodeTransform atStart(Consumer<CodeBuilder> what) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        what.accept(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }
    };
  }

  /** A guard that guards nothing would be measured as if it did. */
  private static void require(ClassModel type, Predicate<MethodModel> wanted) throws IOException {
    long found = type.methods().stream().filter(wanted).count();
    if (found != 1) {
      throw new IOException(
          "no guard for this JDK: in "
              + type.thisClass().asInternalName()
              + " are "
              + found
              + " methods of the kind it changes, not 1");
    }
  }

  private static ClassModel parse(Path base, ClassDesc type) throws IOException {
    return ClassFile.of().parse(Files.readAllBytes(base.resolve(fileOf(type))));
  }

  private static void write(Path folder, ClassDesc type, byte[] file) throws IOException {
    Path to = folder.resolve(fileOf(type));
    Files.createDirectories(Objects.requireNonNull(to.getParent()));
    Files.write(to, file);
  }

  private static String fileOf(ClassDesc type) {
    String name = type.descriptorString();
    return name.substring(1, name.length() - 1) + ".class";
  }
}
