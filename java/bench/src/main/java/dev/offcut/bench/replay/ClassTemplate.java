package dev.offcut.bench.replay;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** A class file whose class can be given any of a million names without being made anew. */
final class ClassTemplate {
  private static final String NAME = "C000000";

  private final byte[] file;
  private final int nameAt;

  private ClassTemplate(byte[] file) {
    this.file = file;
    this.nameAt = indexOf(NAME.getBytes(StandardCharsets.US_ASCII), file);
  }

  /** A public class with so many public methods that do nothing. */
  static ClassTemplate withMethods(int count) {
    return new ClassTemplate(
        ClassFile.of()
            .build(
                ClassDesc.of(NAME),
                of -> {
                  of.withFlags(ClassFile.ACC_PUBLIC);
                  for (int i = 0; i < count; i++) {
                    of.withMethodBody(
                        "method" + i,
                        ConstantDescs.MTD_void,
                        ClassFile.ACC_PUBLIC,
                        code -> code.return_());
                  }
                }));
  }

  /** The class file of class {@code number}, with its {@link #name}. */
  byte[] number(int number) {
    byte[] copy = file.clone();
    byte[] name = name(number).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(name, 0, copy, nameAt, name.length);
    return copy;
  }

  static String name(int number) {
    return String.format(Locale.ROOT, "C%06d", number);
  }

  private static int indexOf(byte[] part, byte[] whole) {
    for (int at = 0; at + part.length <= whole.length; at++) {
      if (Arrays.equals(whole, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    throw new IllegalStateException("a class file without its class's name");
  }
}
