package dev.offcut.test;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.Consumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Class files as somebody else reads and writes them: to doctor them, and to compare. */
public final class Trees {
  private Trees() {}

  /** The class file of a class of this JDK, by its internal name. */
  public static byte[] jdk(String name) {
    try (InputStream file = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      return Objects.requireNonNull(file, name).readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads one, with all frames in full. */
  public static ClassNode read(byte[] file) {
    ClassNode type = new ClassNode();
    new ClassReader(file).accept(type, ClassReader.EXPAND_FRAMES);
    return type;
  }

  /** Writes one; the frames as they are. */
  public static byte[] write(ClassNode type) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }

  /** The class file after a change. */
  public static byte[] changed(byte[] file, Consumer<ClassNode> change) {
    ClassNode type = read(file);
    change.accept(type);
    return write(type);
  }

  /** The method of a name and, if there are more, a type. */
  public static MethodNode method(ClassNode type, String name, String desc) {
    return type.methods.stream()
        .filter(m -> m.name.equals(name) && m.desc.startsWith(desc))
        .findFirst()
        .orElseThrow();
  }

  /** The field of a name. */
  public static FieldNode field(ClassNode type, String name) {
    return type.fields.stream().filter(f -> f.name.equals(name)).findFirst().orElseThrow();
  }
}
