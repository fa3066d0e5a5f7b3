package dev.offcut.bench.objectstream;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * The generated classes of {@link Leaf}: {@code final class LeafN implements Leaf}, with an int
 * that is serialized.
 */
final class LeafClass {
  /** As many as the largest graph has. */
  static final int COUNT = 1000;

  private static final int FINAL_CLASS =
      ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER;
  private static final int CONSTANT =
      ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
  private static final MethodTypeDesc OF_ID = MethodTypeDesc.of(CD_void, CD_int);

  private LeafClass() {}

  /** The binary name. */
  static String name(int number) {
    return Leaf.className(number);
  }

  /** The class file, of Java 17. */
  static byte[] file(int number) {
    ClassDesc name = ClassDesc.of(name(number));
    return ClassFile.of().build(name, type -> declare(type, name));
  }

  private static void declare(ClassBuilder type, ClassDesc name) {
    type.withVersion(ClassFile.JAVA_17_VERSION, 0)
        .withFlags(FINAL_CLASS)
        .withInterfaceSymbols(ClassDesc.of(Leaf.class.getName()))
        .withField(
            "serialVersionUID",
            CD_long,
            field -> field.withFlags(CONSTANT).with(ConstantValueAttribute.of(1L)))
        .withField("id", CD_int, ClassFile.ACC_PRIVATE)
        .withMethodBody(
            INIT_NAME,
            OF_ID,
            ClassFile.ACC_PUBLIC,
            code ->
                code.aload(0)
                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                    .aload(0)
                    .iload(1)
                    .putfield(name, "id", CD_int)
                    .return_())
        .withMethodBody(
            "id",
            MethodTypeDesc.of(CD_int),
            ClassFile.ACC_PUBLIC,
            code -> code.aload(0).getfield(name, "id", CD_int).ireturn());
  }
}
