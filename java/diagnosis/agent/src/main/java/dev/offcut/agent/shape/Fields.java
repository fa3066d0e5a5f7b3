package dev.offcut.agent.shape;

import dev.offcut.agent.shape.TypeFile.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class and of those above it, each with a bit: those that can be handles first.
 */
final class Fields {
  private static final List<String> POINTERS =
      List.of(
          "J",
          "[J",
          "Ljava/lang/Long;",
          "Ljava/nio/ByteBuffer;",
          "Ljava/lang/foreign/MemorySegment;",
          "Ljava/util/concurrent/atomic/AtomicLong;",
          "Ljava/util/concurrent/atomic/AtomicReference;",
          "Lcom/sun/jna/Pointer;",
          "Lcom/sun/jna/PointerType;",
          "Ljnr/ffi/Pointer;");

  /** What the name of an int that is a handle has in it, or ends with. */
  private static final List<String> INTS = List.of("handle", "ptr", "native", "peer", "ctx");

  private static final List<String> INT_ENDS = List.of("ref", "fd", "id");

  /** The class that declares one, and the field. */
  record Of(String owner, String name, String type) {
    boolean isPointer() {
      return POINTERS.contains(type);
    }

    boolean isHandle() {
      return isPointer() || (type.equals("I") && soundsLikeHandle(name));
    }

    boolean isBuffer() {
      return type.equals("Ljava/nio/ByteBuffer;");
    }
  }

  private final List<Of> all = new ArrayList<>();

  /** The classes that have them, that of the objects first. */
  private final List<String> owners = new ArrayList<>();

  /** Those that can be handles. */
  final long handles;

  Fields(Types types, TypeFile type) {
    List<Of> others = new ArrayList<>();
    for (TypeFile one = type; one != null; one = types.get(one.above)) {
      owners.add(one.name);
      for (Field field : one.fields) {
        Of of = new Of(one.name, field.name(), field.type());
        (of.isHandle() ? all : others).add(of);
      }
    }
    int count = Math.min(all.size(), Summary.MOST_FIELDS);
    handles = count == 0 ? 0 : (-1L >>> (64 - count)) << Summary.FIRST_FIELD;
    all.addAll(others);
  }

  private static boolean soundsLikeHandle(String name) {
    String word = name.toLowerCase(Locale.ROOT);
    for (String one : INTS) {
      if (word.contains(one)) {
        return true;
      }
    }
    for (String one : INT_ENDS) {
      if (word.endsWith(one)) {
        return true;
      }
    }
    return false;
  }

  boolean hasPointer() {
    return !all.isEmpty() && hasPointer(handles);
  }

  /** Whether one of some fields can be a pointer. */
  boolean hasPointer(long bits) {
    for (int i = 0; i < Math.min(all.size(), Summary.MOST_FIELDS); i++) {
      if ((bits & bit(i)) != 0 && all.get(i).isPointer()) {
        return true;
      }
    }
    return false;
  }

  private static long bit(int index) {
    return 1L << (Summary.FIRST_FIELD + index);
  }

  /** The bit of a field as an instruction names it; 0: there are too many. */
  long bit(String owner, String name) {
    int from = Math.max(0, owners.indexOf(owner));
    int best = -1;
    int bestOwner = Integer.MAX_VALUE;
    for (int i = 0; i < all.size(); i++) {
      Of one = all.get(i);
      int at = one.name.equals(name) ? owners.indexOf(one.owner) : -1;
      if (at >= from && at < bestOwner) {
        best = i;
        bestOwner = at;
      }
    }
    return best >= 0 && best < Summary.MOST_FIELDS ? bit(best) : 0;
  }

  /** The fields of some bits. */
  List<Of> of(long bits) {
    List<Of> found = new ArrayList<>();
    for (int i = 0; i < Math.min(all.size(), Summary.MOST_FIELDS); i++) {
      if ((bits & bit(i)) != 0) {
        found.add(all.get(i));
      }
    }
    return found;
  }

  /** The first field of a type; null: there is none. */
  @Nullable Of first(String type) {
    for (Of one : all) {
      if (one.type.equals(type)) {
        return one;
      }
    }
    return null;
  }

  /** The first field of some bits; null: none. */
  @Nullable Of first(long bits) {
    List<Of> found = of(bits);
    return found.isEmpty() ? null : found.get(0);
  }
}
