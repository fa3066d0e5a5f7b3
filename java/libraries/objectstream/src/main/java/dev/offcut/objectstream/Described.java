package dev.offcut.objectstream;

import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/** A class as a stream has described it, with what it has described as its superclass. */
final class Described {
  final Class<?> type;
  private final int objectFields;
  private @Nullable Described above;

  /** Whether its superclass has been described too. */
  boolean isWhole;

  /**
   * A class, yet without a superclass.
   *
   * @param objectFields fields that are no primitives, which it may have in the stream alone
   */
  Described(Class<?> type, int objectFields) {
    this.type = type;
    this.objectFields = objectFields;
  }

  /**
   * Describes the superclass. One of the JDK's classes has the superclasses that it has: data of
   * others would stand before its own, and keys would pass for values.
   */
  void extend(Described superclass) throws InvalidClassException {
    if (type.getClassLoader() == null && !superclass.type.isAssignableFrom(type)) {
      throw new InvalidClassException(
          type.getName(), "described as extending " + superclass.type.getName());
    }
    above = superclass;
  }

  /** There are no more superclasses. */
  void end() {
    for (Described d = this; d != null && !d.isWhole; d = d.above) {
      d.isWhole = true;
    }
  }

  /** The keys of an object of this class; null if it hashes and compares nothing. */
  @Nullable Keys keys(Expansion expansion, Work work) {
    Keys keys = null;
    for (Described d = this; d != null && keys == null; d = d.above) {
      keys = Keys.of(d.type, d.objectFields, expansion, work);
    }
    return keys;
  }
}
