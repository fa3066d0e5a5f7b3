package dev.offcut.agent.hooks.code;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a class file extends and implements, and nothing else of it: this is asked of each class
 * that a program loads. So a name is a place in the file until somebody asks for its text.
 *
 * <p>Names have indices: 0 is the class above, the interfaces follow.
 */
public final class Supertypes {
  /** Of numbers: FNV-1a. */
  private static final long BASIS = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  /** Bytes of a constant that has two numbers. */
  private static final int WIDE = 9;

  private static final int FIRST = 10;
  private static final int FINAL = 0x10;
  private static final int INTERFACE = 0x200;

  /** Compared as bytes: nearly all classes extend it. */
  private static final byte[] OBJECT = "java/lang/Object".getBytes(StandardCharsets.UTF_8);

  private static final byte[] JAVA = "java/".getBytes(StandardCharsets.UTF_8);
  private static final byte[] JAVAX = "javax/".getBytes(StandardCharsets.UTF_8);

  private final byte[] file;

  /** Where each constant is, by its index; 0 where none is. */
  private final int[] places;

  private final int access;

  /** Where the texts of the names begin and end, in turn. */
  private final int[] names;

  private final int constantsEnd;

  private Supertypes(byte[] file) throws UnknownShapeException {
    this.file = file;
    places = new int[BigEndian.u2(file, 8)];
    int at = FIRST;
    for (int index = 1; index < places.length; index++) {
      places[index] = at;
      int size = Constants.SIZES[file[at]];
      if (size == 0) {
        throw new UnknownShapeException("not readable: a constant of kind " + file[at]);
      }
      if (file[at] == Constants.TEXT) {
        at += ((file[at + 1] & 0xff) << 8) | (file[at + 2] & 0xff); // without a call
      }
      at += size;
      index += size == WIDE ? 1 : 0;
    }
    constantsEnd = at;
    access = BigEndian.u2(file, at);
    names = new int[2 + 2 * BigEndian.u2(file, at + 6)];
    if (BigEndian.u2(file, at + 4) != 0) {
      place(0, at + 4);
    }
    for (int i = 1; i < count(); i++) {
      place(i, at + 6 + 2 * i);
    }
  }

  /** Reads those of a class file. */
  public static Supertypes of(byte[] file) throws UnknownShapeException {
    try {
      return new Supertypes(file);
    } catch (IndexOutOfBoundsException e) {
      throw new UnknownShapeException("not readable: " + e);
    }
  }

  /** Keeps the place of the name of the class whose index is at a place. */
  private void place(int name, int at) {
    int text = places[BigEndian.u2(file, places[BigEndian.u2(file, at)] + 1)];
    names[2 * name] = text + 3;
    names[2 * name + 1] = text + 3 + BigEndian.u2(file, text + 1);
  }

  /** The class file. */
  public byte[] file() {
    return file;
  }

  /** Where each constant is, by its index; 0 where none is. Not to be changed. */
  public int[] places() {
    return places;
  }

  /** Behind the last constant. */
  public int constantsEnd() {
    return constantsEnd;
  }

  /** Where a name begins in the file. */
  public int from(int name) {
    return names[2 * name];
  }

  /** Behind its last byte. */
  public int to(int name) {
    return names[2 * name + 1];
  }

  /** Whether nothing can extend it. */
  public boolean isFinal() {
    return (access & FINAL) != 0;
  }

  /** Whether it is an interface. */
  public boolean isInterface() {
    return (access & INTERFACE) != 0;
  }

  /** How many names there are: one more than interfaces. */
  public int count() {
    return names.length / 2;
  }

  /** Whether there is nothing above by this name: it is that of Object, or that of its own. */
  public boolean isObject(int name) {
    return names[2 * name] == 0
        || Arrays.equals(file, names[2 * name], names[2 * name + 1], OBJECT, 0, OBJECT.length);
  }

  /** Whether a name begins with java. or javax. */
  public boolean isOfJava(int name) {
    int from = names[2 * name];
    int to = names[2 * name + 1];
    return from == 0 || begins(from, to, JAVA) || begins(from, to, JAVAX);
  }

  private boolean begins(int from, int to, byte[] start) {
    return to - from > start.length
        && Arrays.equals(file, from, from + start.length, start, 0, start.length);
  }

  /** A number that stands for a name: {@link #number(String)} of it. */
  public long number(int name) {
    long number = BASIS;
    for (int at = names[2 * name]; at < names[2 * name + 1]; at++) {
      number = (number ^ (file[at] & 0xff)) * PRIME;
    }
    return number;
  }

  /**
   * A number of 64 bits for a name. Two names have the same one as often as a cosmic ray strikes.
   * For a name with characters beyond ASCII it differs from that of its bytes in a file.
   */
  @SuppressWarnings("LoopOverCharArray") // a call for each character is what takes long here
  public static long number(String name) {
    long number = BASIS;
    // Without a call for each: that would be thousands at the start of a program.
    for (char one : name.toCharArray()) {
      number = (number ^ one) * PRIME;
    }
    return number;
  }

  /** A name as text. */
  public String name(int name) {
    return isObject(name)
        ? "java/lang/Object"
        : new String(
            file, names[2 * name], names[2 * name + 1] - names[2 * name], StandardCharsets.UTF_8);
  }

  /** Whether one of the texts of the file has this one in it, which is ASCII. */
  public boolean mentions(byte[] text) {
    int at = FIRST;
    while (at < constantsEnd) {
      if (file[at] == Constants.TEXT) {
        int end = at + 3 + BigEndian.u2(file, at + 1);
        if (has(at + 3, end - text.length, text)) {
          return true;
        }
        at = end;
      } else {
        at += Constants.SIZES[file[at]];
      }
    }
    return false;
  }

  private boolean has(int from, int last, byte[] text) {
    for (int at = from; at <= last; at++) {
      if (file[at] == text[0] && Arrays.equals(file, at, at + text.length, text, 0, text.length)) {
        return true;
      }
    }
    return false;
  }
}
