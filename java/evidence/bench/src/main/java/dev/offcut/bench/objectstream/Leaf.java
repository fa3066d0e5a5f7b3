package dev.offcut.bench.objectstream;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;

/** What the graphs are made of: generated classes that differ in nothing but their names. */
public interface Leaf extends Serializable {
  /** How many classes. */
  int CLASSES = 10;

  /** What it was made with. */
  int id();

  /** An object of the class of a number; each class is defined before its first object. */
  static Leaf create(int number, int id) throws ReflectiveOperationException {
    ClassDesc name = ClassDesc.of(Leaf.class.getName() + number);
    Class<?> type =
        id < CLASSES
            ? MethodHandles.lookup().defineClass(file(name))
            : Class.forName(Leaf.class.getName() + number);
    return (Leaf) type.getConstructor(int.class).newInstance(id);
  }

  /** {@code final class LeafN implements Leaf}, with an int that is serialized. */
  private static byte[] file(ClassDesc name) {
    int constant = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
    return ClassFile.of()
        .build(
            name,
            type ->
                type.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                    .withInterfaceSymbols(ClassDesc.of(Leaf.class.getName()))
                    .withField(
                        "serialVersionUID",
                        CD_long,
                        field -> field.withFlags(constant).with(ConstantValueAttribute.of(1L)))
                    .withField("id", CD_int, ClassFile.ACC_PRIVATE)
                    .withMethodBody(
                        INIT_NAME,
                        MethodTypeDesc.of(CD_void, CD_int),
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
                        code -> code.aload(0).getfield(name, "id", CD_int).ireturn()));
  }
}
