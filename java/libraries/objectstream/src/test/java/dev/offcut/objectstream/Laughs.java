package dev.offcut.objectstream;

import dev.offcut.objectstream.Forged.MapForm;
import dev.offcut.objectstream.Forged.SetForm;
import java.io.ObjectStreamConstants;
import java.util.function.BinaryOperator;

/** Short streams that are endless to hash. */
final class Laughs {
  private Laughs() {}

  /** Levels of two sets, each of which holds both of the next level. */
  static byte[] sets(int levels) {
    return Forged.of(levels(levels, SetForm::new, (a, b) -> new SetForm(a, b, "x")));
  }

  /** The same, as keys of maps. */
  static byte[] mapKeys(int levels) {
    return Forged.of(
        levels(
            levels,
            (a, b) -> new MapForm(a, null, b, null),
            (a, b) -> new MapForm(a, null, b, null, "x", null)));
  }

  /** Levels of two, each of which lies in both of the one above. */
  static Object levels(int levels, BinaryOperator<Object> left, BinaryOperator<Object> right) {
    Object a = "a";
    Object b = "b";
    for (int i = 0; i < levels; i++) {
      Object newA = left.apply(a, b);
      b = right.apply(b, a);
      a = newA;
    }
    return a;
  }

  /** A = {B, C}, B = {A}, C = {A}: hashing A for C hashes B, which hashes A. */
  static byte[] circle() {
    SetForm a = new SetForm();
    a.elements.add(new SetForm(a, "b"));
    a.elements.add(new SetForm(a, "c"));
    return Forged.of(a);
  }

  /** {@code Collections.unmodifiableCollection(null)}. */
  static byte[] wrapperOfNull() {
    return Streams.byHand(
        out -> {
          out.writeByte(ObjectStreamConstants.TC_OBJECT);
          Streams.describe(
              out, "java.util.Collections$UnmodifiableCollection", 1820017752578914078L);
        });
  }
}
