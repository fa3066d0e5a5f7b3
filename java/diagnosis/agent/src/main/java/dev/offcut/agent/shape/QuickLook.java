package dev.offcut.agent.shape;

import dev.offcut.agent.hooks.code.BigEndian;
import dev.offcut.agent.hooks.code.Supertypes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of a class at a glance, when it is loaded: whether it reaches native code itself,
 * and whether it could own something native. The thread that loads the class looks; nothing is made
 * but this and two lists of numbers, and those only of the few classes that need them.
 *
 * @param marks those below, together
 * @param home a number for the package
 * @param heats a marked class: the packages that are hot by it, its own and those of its supertypes
 * @param named a class with a handle and an ender, or that inherits one: the packages that it
 *     names, but those of java
 */
@SuppressWarnings("ArrayRecordComponent") // one is kept for each class, and none is compared
record QuickLook(int marks, int home, int @Nullable [] heats, int @Nullable [] named) {
  /** It reaches native code: by a native method, or a class of a library that calls natives. */
  static final int MARK = 1;

  /** It has a native method. */
  static final int NATIVE = 2;

  /** It has a field that can be a handle, or a finalizer: what that ends need not be a field. */
  static final int HANDLE = 4;

  /** It has a method without parameters whose name sounds like an end. */
  static final int ENDER = 8;

  /** There are no objects of exactly this type. */
  static final int ABSTRACT = 16;

  private static final int CLASS = 7;
  private static final int TEXT = 1;
  private static final int OF_STATIC = 8;
  private static final int OF_NATIVE = 0x100;
  private static final int OF_INTERFACE = 0x200;
  private static final int OF_ABSTRACT = 0x400;

  private static final byte[] JNA = ascii("com/sun/jna/");
  private static final byte[] JNR = ascii("jnr/ffi/");
  private static final byte[] SEGMENT = ascii("java/lang/foreign/MemorySegment");
  private static final byte[] METHOD_HANDLE = ascii("java/lang/invoke/MethodHandle");
  private static final byte[] UNSAFE = ascii("sun/misc/Unsafe");
  private static final byte[] FREE_MEMORY = ascii("freeMemory");
  private static final byte[] JAVA = ascii("java/");

  /** Fields of these types can be handles; JNA's and JNR's pointers are told apart from others. */
  private static final byte[][] HANDLES = {
    ascii("J"),
    ascii("[J"),
    ascii("Ljava/lang/Long;"),
    ascii("Ljava/nio/ByteBuffer;"),
    ascii("Ljava/lang/foreign/MemorySegment;"),
    ascii("Ljava/util/concurrent/atomic/AtomicLong;"),
    ascii("Ljava/util/concurrent/atomic/AtomicReference;")
  };

  private static final byte[][] POINTERS = {
    ascii("Lcom/sun/jna/Pointer;"), ascii("Lcom/sun/jna/PointerType;"), ascii("Ljnr/ffi/Pointer;")
  };

  /** An int is a handle if its name has one of these in it. */
  private static final byte[][] INTS = {
    ascii("handle"),
    ascii("ptr"),
    ascii("ref"),
    ascii("fd"),
    ascii("id"),
    ascii("ctx"),
    ascii("native"),
    ascii("peer")
  };

  /** What the names of methods that end something have in them. */
  private static final byte[][] ENDS = {
    ascii("close"), ascii("cleanup"), ascii("dispose"), ascii("delete"), ascii("destr"),
    ascii("dealloc"), ascii("drop"), ascii("release"), ascii("free"), ascii("shutdown"),
    ascii("termin"), ascii("unref"), ascii("uninit"), ascii("unpin")
  };

  /** The letters that words begin with, a bit each. */
  private static final int FIRSTS_OF_INTS = firsts(INTS);

  private static final int FIRSTS_OF_ENDS = firsts(ENDS);

  private static final byte[][] WHOLE_ENDS = {ascii("run"), ascii("end")};

  private static final byte[] FINALIZE = ascii("finalize");

  /** Reads a class file, of which the supertypes have been read. */
  static QuickLook of(Supertypes type) {
    return new Reader(type).look();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static int firsts(byte[][] words) {
    int firsts = 0;
    for (byte[] word : words) {
      firsts |= 1 << (word[0] & 31);
    }
    return firsts;
  }

  /** A number for the package of a name that is in a file, its last slash too. */
  private static int home(byte[] file, int from, int to) {
    int end = to;
    while (end > from && file[end - 1] != '/') {
      end--;
    }
    int hash = 1;
    for (int at = from; at < end; at++) {
      hash = 31 * hash + file[at];
    }
    return hash;
  }

  /** Reads one class file. */
  private static final class Reader {
    private final byte[] file;
    private final int[] places;
    private final Supertypes type;
    private int marks;
    private int at;
    private boolean hasSegment;

    Reader(Supertypes type) {
      this.type = type;
      file = type.file();
      places = type.places();
      at = type.constantsEnd();
    }

    QuickLook look() {
      int access = BigEndian.u2(file, at);
      int own = text(BigEndian.u2(file, places[BigEndian.u2(file, at + 2)] + 1));
      at += 8 + 2 * BigEndian.u2(file, at + 6);
      fields();
      methods();
      classes();
      if ((access & (OF_INTERFACE | OF_ABSTRACT)) != 0) {
        marks |= ABSTRACT;
      }
      if ((access & OF_INTERFACE) != 0) {
        marks &= ~(HANDLE | ENDER);
      }
      int home = home(file, own + 3, own + 3 + BigEndian.u2(file, own + 1));
      return new QuickLook(
          marks, home, (marks & MARK) == 0 ? null : heats(home), mayBeCandidate() ? named() : null);
    }

    /** Whether it may have all that an owner has, with those above it. */
    private boolean mayBeCandidate() {
      int both = marks & (HANDLE | ENDER);
      return both == (HANDLE | ENDER) || (both != 0 && type.count() > 0 && !type.isOfJava(0));
    }

    /** Where the text at an index is; its length stands there, behind one byte. */
    private int text(int index) {
      return places[index];
    }

    private void fields() {
      int count = BigEndian.u2(file, at);
      at += 2;
      for (int i = 0; i < count; i++) {
        if ((BigEndian.u2(file, at) & OF_STATIC) == 0) {
          field(text(BigEndian.u2(file, at + 2)), text(BigEndian.u2(file, at + 4)));
        }
        skipAttributes();
      }
    }

    private void field(int name, int descriptor) {
      int length = BigEndian.u2(file, descriptor + 1);
      byte first = file[descriptor + 3];
      if (length == 1) {
        if (first == 'J' || (first == 'I' && contains(name, INTS, FIRSTS_OF_INTS))) {
          marks |= HANDLE;
        }
      } else if (length == 2 || length > 15) {
        if (isOne(descriptor, POINTERS)) {
          marks |= HANDLE | MARK;
        } else if (isOne(descriptor, HANDLES)) {
          marks |= HANDLE;
          hasSegment |= length == SEGMENT.length + 2;
        }
      }
    }

    private void methods() {
      int count = BigEndian.u2(file, at);
      at += 2;
      for (int i = 0; i < count; i++) {
        int access = BigEndian.u2(file, at);
        if ((access & OF_NATIVE) != 0) {
          marks |= NATIVE | MARK;
        }
        if ((access & OF_STATIC) == 0) {
          int descriptor = text(BigEndian.u2(file, at + 4));
          if (file[descriptor + 4] == ')') {
            ender(text(BigEndian.u2(file, at + 2)));
          }
        }
        skipAttributes();
      }
    }

    private void ender(int name) {
      if (is(name, FINALIZE)) {
        marks |= HANDLE | ENDER;
      } else if ((marks & ENDER) == 0
          && (isOne(name, WHOLE_ENDS) || contains(name, ENDS, FIRSTS_OF_ENDS))) {
        marks |= ENDER;
      }
    }

    /** Goes behind the attributes of a member. */
    private void skipAttributes() {
      int left = BigEndian.u2(file, at + 6);
      at += 8;
      for (; left > 0; left--) {
        at += 6 + (BigEndian.u2(file, at + 2) << 16) + BigEndian.u2(file, at + 4);
      }
    }

    /** Marks a class by those that it names. */
    private void classes() {
      boolean hasMethodHandle = false;
      boolean hasUnsafe = false;
      for (int index = 1; index < places.length; index++) {
        int place = places[index];
        if (file[place] != CLASS || place == 0) {
          continue;
        }
        int text = text(BigEndian.u2(file, place + 1));
        switch (file[text + 3]) {
          case 'c' -> mark(text, JNA);
          case 's' -> hasUnsafe |= is(text, UNSAFE);
          case 'j' -> {
            if (file[text + 4] == 'n') {
              mark(text, JNR);
            } else {
              hasSegment |= is(text, SEGMENT);
              hasMethodHandle |= is(text, METHOD_HANDLE);
            }
          }
          default -> {}
        }
      }
      if ((hasSegment && hasMethodHandle) || (hasUnsafe && hasText(FREE_MEMORY))) {
        marks |= MARK;
      }
    }

    private void mark(int text, byte[] start) {
      if (BigEndian.u2(file, text + 1) > start.length && isAt(text + 3, start)) {
        marks |= MARK;
      }
    }

    private boolean hasText(byte[] text) {
      for (int index = 1; index < places.length; index++) {
        if (places[index] != 0 && file[places[index]] == TEXT && is(places[index], text)) {
          return true;
        }
      }
      return false;
    }

    private int[] heats(int home) {
      int[] heats = new int[1 + type.count()];
      heats[0] = home;
      int count = 1;
      for (int i = 0; i < type.count(); i++) {
        int from = type.from(i);
        int to = type.to(i);
        if (to > from && !(to - from > JAVA.length && isAt(from, JAVA))) {
          heats[count++] = home(file, from, to);
        }
      }
      return Arrays.copyOf(heats, count);
    }

    private int[] named() {
      int[] named = new int[8];
      int count = 0;
      int last = 0;
      for (int index = 1; index < places.length; index++) {
        int place = places[index];
        if (place == 0 || file[place] != CLASS) {
          continue;
        }
        int text = text(BigEndian.u2(file, place + 1));
        int length = BigEndian.u2(file, text + 1);
        if (file[text + 3] == '[' || (length > JAVA.length && isAt(text + 3, JAVA))) {
          continue;
        }
        int home = home(file, text + 3, text + 3 + length);
        if (home != last && !has(named, count, home)) {
          if (count == named.length) {
            named = Arrays.copyOf(named, 2 * count);
          }
          named[count++] = home;
        }
        last = home;
      }
      return Arrays.copyOf(named, count);
    }

    private static boolean has(int[] all, int count, int one) {
      for (int i = 0; i < count; i++) {
        if (all[i] == one) {
          return true;
        }
      }
      return false;
    }

    private boolean isOne(int text, byte[][] all) {
      for (byte[] one : all) {
        if (is(text, one)) {
          return true;
        }
      }
      return false;
    }

    private boolean is(int text, byte[] other) {
      return BigEndian.u2(file, text + 1) == other.length && isAt(text + 3, other);
    }

    /** From the end: that is where names differ. */
    private boolean isAt(int from, byte[] other) {
      for (int i = other.length - 1; i >= 0; i--) {
        if (file[from + i] != other[i]) {
          return false;
        }
      }
      return true;
    }

    /** Whether a text has one of some words in it, in capitals or not. */
    private boolean contains(int text, byte[][] words, int firsts) {
      int from = text + 3;
      int to = from + BigEndian.u2(file, text + 1);
      for (int start = from; start < to; start++) {
        int first = file[start];
        if ((firsts >>> (first & 31) & 1) == 0) {
          continue; // so it is with most
        }
        for (byte[] word : words) {
          if (word[0] == (first | 32) && start + word.length <= to && isWord(start, word)) {
            return true;
          }
        }
      }
      return false;
    }

    private boolean isWord(int start, byte[] word) {
      for (int i = 1; i < word.length; i++) {
        if ((file[start + i] | 32) != word[i]) {
          return false;
        }
      }
      return true;
    }
  }
}
