package dev.offcut.stress;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A copy of a library's class files with a {@link Delay} after every store and atomic access. */
final class Delayed {
  private Delayed() {}

  /** Writes the copy of the library of {@code member} into {@code folder}. */
  static void copy(Class<?> member, Path folder) throws Exception {
    Path library = Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(library)) {
      copy(library, folder);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(library)) {
        copy(jar.getPath("/"), folder);
      }
    }
  }

  private static void copy(Path library, Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(library)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = library.relativize(file).toString();
        if (name.endsWith(".class") && !name.endsWith("-info.class")) {
          Path to = folder.resolve(name);
          Files.createDirectories(to.getParent());
          Files.write(to, delayed(Files.readAllBytes(file)));
        }
      }
    }
  }

  private static byte[] delayed(byte[] file) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(file)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String type, String signature, String[] exceptions) {
                return new Pauses(super.visitMethod(access, name, type, signature, exceptions));
              }
            },
            0);
    return writer.toByteArray();
  }

  private static final class Pauses extends MethodVisitor {
    Pauses(MethodVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitInsn(int opcode) {
      super.visitInsn(opcode);
      if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
        pause();
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
      super.visitFieldInsn(opcode, owner, name, type);
      if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
        pause();
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, name, type, isInterface);
      if (owner.equals("java/lang/invoke/VarHandle")
          || owner.startsWith("java/util/concurrent/atomic/")) {
        pause();
      }
    }

    private void pause() {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, "dev/offcut/stress/Delay", "maybe", "()V", false);
    }
  }
}
