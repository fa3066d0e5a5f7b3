package dev.offcut.agent.shape;

import org.jspecify.annotations.Nullable;

/**
 * Where values go in a method and in what it calls. A value is a set of bits: what it may be, and
 * what it is made of.
 */
final class Summary {
  /** The object itself. */
  static final long THIS = 1;

  /** What native code returned. */
  static final long FOREIGN = 1 << 1;

  /** 0, -1, null, or a constant that is called NULL. */
  static final long EMPTY = 1 << 2;

  /** The number 1, or true. */
  static final long ONE = 1 << 3;

  /** A constant of a class, such as one of an enum. */
  static final long CONSTANT = 1 << 4;

  /** True where the field that it is of is empty. */
  static final long NOT = 1 << 5;

  /** It is of a field, but what it says of it is not known. */
  static final long UNSURE = 1 << 6;

  /** It was compared with -1, or told from negative numbers: 0 is a value like others. */
  static final long NEGATIVE = 1 << 7;

  /** Sixteen parameters, the object itself the first. */
  static final long PARAMETERS = 0xffff00L;

  /** Forty fields. Of other objects than the one that is looked at all are the first. */
  static final long FIELDS = 0xffff_ffff_ff00_0000L;

  static final int FIRST_PARAMETER = 8;
  static final int MOST_PARAMETERS = 16;
  static final int FIRST_FIELD = 24;
  static final int MOST_FIELDS = 40;

  /** What stays through arithmetic, arrays and calls. */
  static final long DERIVED = FOREIGN | PARAMETERS | FIELDS;

  static final Summary EMPTY_ONE = new Summary();

  /** Arguments of native calls. */
  long natives;

  /** Arguments of native calls that end something. */
  long ended;

  /** What it returns. */
  long returns;

  /** Fields that it clears: they get a constant. */
  long clears;

  /** Fields that must not be empty for the native call to be reached, and those that must be. */
  long openIfSet;

  long openIfEmpty;

  /** Of both, those that are empty if they are 0, and those that are if they are -1. */
  long zero;

  long negative;

  /** Fields that decide it in a way that is not known. */
  long decides;

  /** What it gives to a cleaner. */
  long cleaned;

  /** A native call that it reaches, one that ends something if there is any. */
  @Nullable String reached;

  private boolean reachesEnd;

  void reach(@Nullable String name, boolean ends) {
    if (name != null && (reached == null || (ends && !reachesEnd))) {
      reached = name;
      reachesEnd = ends;
    }
  }

  void reach(Summary other) {
    reach(other.reached, other.reachesEnd);
  }

  /** The bit of a parameter. */
  static long parameter(int index) {
    return 1L << (FIRST_PARAMETER + Math.min(index, MOST_PARAMETERS - 1));
  }
}
