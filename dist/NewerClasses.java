import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies a jar and brings its classes to the version of Java 8: {@code java NewerClasses.java JAR
 * COPY}.
 *
 * <p>Classes from before Java 6 have no stack maps. The JVM verifies them by another, slower way at
 * each start, and takes none of them into an archive of linked classes, nor what refers to them. So
 * they get stack maps here. Nothing else of them changes.
 */
final class NewerClasses {
  private NewerClasses() {}

  public static void main(String[] args) throws IOException {
    Path from = Path.of(args[0]);
    int made = 0;
    try (JarFile jar = new JarFile(from.toFile());
        URLClassLoader loader = new URLClassLoader(new URL[] {from.toUri().toURL()});
        OutputStream file = Files.newOutputStream(Path.of(args[1]));
        ZipOutputStream out = new ZipOutputStream(file)) {
      ClassFile format =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(loader)));
      for (JarEntry entry : Collections.list(jar.entries())) {
        byte[] bytes = read(jar, entry);
        if (entry.getName().endsWith(".class")) {
          ClassModel model = format.parse(bytes);
          if (model.majorVersion() < ClassFile.JAVA_8_VERSION) {
            bytes = newer(format, model);
            made++;
          }
        }
        JarEntry copy = new JarEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        out.putNextEntry(copy);
        out.write(bytes);
        out.closeEntry();
      }
    }
    if (made == 0) {
      throw new IOException(from + " has no class from before Java 8; copy it as it is");
    }
  }

  private static byte[] newer(ClassFile format, ClassModel model) {
    ClassTransform version =
        ClassTransform.dropping(element -> element instanceof ClassFileVersion)
            .andThen(
                ClassTransform.endHandler(
                    builder -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0)));
    // Code that is not touched would be copied as it is.
    CodeTransform written = (builder, element) -> builder.with(element);
    return format.transformClass(
        model, version.andThen(ClassTransform.transformingMethodBodies(written)));
  }

  private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
