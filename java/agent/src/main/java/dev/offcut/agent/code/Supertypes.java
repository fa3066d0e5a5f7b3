package dev.offcut.agent.code;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a class file extends and implements, by internal names, and nothing else of it: this is
 * asked of each class that a program loads.
 *
 * @param isFinal whether nothing can extend it
 */
public record Supertypes(
    boolean isFinal, boolean isInterface, String superName, List<String> interfaces) {
  private static final String OBJECT = "java/lang/Object";

  /** Bytes of a constant, by its kind; 0 for kinds that there are not. A switch costs more. */
  private static final byte[] SIZES = {
    0, -1, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3
  };

  /** It says itself how long it is. */
  private static final int TEXT = -1;

  /** It has two numbers. */
  private static final int WIDE = 9;

  private static final int FIRST = 10;
  private static final int FINAL = 0x10;
  private static final int INTERFACE = 0x200;

  /** Compared as bytes: nearly all classes extend it. */
  private static final byte[] OBJECT_BYTES = OBJECT.getBytes(StandardCharsets.UTF_8);

  /** Reads those of a class file. */
  public static Supertypes of(byte[] file) throws UnknownShapeException {
    try {
      return read(file);
    } catch (IndexOutOfBoundsException e) {
      throw new UnknownShapeException("not readable: " + e);
    }
  }

  private static Supertypes read(byte[] file) throws UnknownShapeException {
    int[] places = new int[BigEndian.u2(file, 8)];
    int at = FIRST;
    for (int index = 1; index < places.length; index++) {
      places[index] = at;
      int size = SIZES[file[at]];
      if (size == TEXT) {
        at += 3 + BigEndian.u2(file, at + 1);
      } else if (size > 0) {
        at += size;
        index += size == WIDE ? 1 : 0;
      } else {
        throw new UnknownShapeException("not readable: a constant of kind " + file[at]);
      }
    }
    String superName = OBJECT;
    if (BigEndian.u2(file, at + 4) != 0) {
      superName = name(file, places, at + 4);
    }
    int count = BigEndian.u2(file, at + 6);
    List<String> interfaces = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      interfaces.add(name(file, places, at + 8 + 2 * i));
    }
    int access = BigEndian.u2(file, at);
    return new Supertypes((access & FINAL) != 0, (access & INTERFACE) != 0, superName, interfaces);
  }

  /** The name of the class whose index is at a place. */
  private static String name(byte[] file, int[] places, int at) {
    int text = BigEndian.u2(file, places[BigEndian.u2(file, at)] + 1);
    return text(file, places[text]);
  }

  private static String text(byte[] file, int at) {
    int from = at + 3;
    int to = from + BigEndian.u2(file, at + 1);
    if (Arrays.equals(file, from, to, OBJECT_BYTES, 0, OBJECT_BYTES.length)) {
      return OBJECT;
    }
    return new String(file, from, to - from, StandardCharsets.UTF_8);
  }
}
