package dev.offcut.agent.hooks.code;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The frames of a method, which stand where something jumps to: a StackMapTable. Each says how far
 * behind the one before it is. The format: JVM specification, 4.7.4.
 */
final class StackMap {
  private static final int SAME_STACK = 64;
  private static final int RESERVED = 128;
  private static final int SAME_STACK_FAR = 247;
  private static final int SAME_FAR = 251;
  private static final int FULL = 255;
  private static final int OBJECT = 7;
  private static final int NEW = 8;

  private final byte[] old;
  private final Shift shift;
  private final ByteArrayOutputStream moved = new ByteArrayOutputStream();
  private final List<Integer> places = new ArrayList<>();
  private int at;

  private StackMap(byte[] old, Shift shift) throws UnknownShapeException {
    this.old = old;
    this.shift = shift;
    int before = -1;
    for (int left = number(); left > 0; left--) {
      before = frame(before);
      places.add(before);
    }
  }

  /** The frames, after a shift. */
  static byte[] shifted(byte[] frames, Shift shift) throws UnknownShapeException {
    return new StackMap(frames, shift).moved.toByteArray();
  }

  /** Where frames are. */
  static List<Integer> places(byte[] frames) throws UnknownShapeException {
    return new StackMap(frames, new Shift(Integer.MAX_VALUE, 0)).places;
  }

  /**
   * The frames, and one more behind them, where a handler begins: with {@code this} as the only
   * variable and an exception on the stack, whose classes have these indices.
   */
  static byte[] withHandler(byte[] frames, int place, int type, int exception)
      throws UnknownShapeException {
    List<Integer> places = places(frames);
    int before = places.isEmpty() ? -1 : places.get(places.size() - 1);
    byte[] more = Arrays.copyOf(frames, frames.length + 13);
    BigEndian.put2(more, 0, BigEndian.u2(frames, 0) + 1);
    int at = frames.length;
    more[at] = (byte) FULL;
    BigEndian.put2(more, at + 1, place - before - 1);
    BigEndian.put2(more, at + 3, 1);
    more[at + 5] = OBJECT;
    BigEndian.put2(more, at + 6, type);
    BigEndian.put2(more, at + 8, 1);
    more[at + 10] = OBJECT;
    BigEndian.put2(more, at + 11, exception);
    return more;
  }

  /** Copies the frame behind the one at a place; its own place. */
  private int frame(int before) throws UnknownShapeException {
    int kind = old[at++] & 0xff;
    if (kind >= RESERVED && kind < SAME_STACK_FAR) {
      throw new UnknownShapeException("not readable: a frame " + kind);
    }
    int distance = kind < RESERVED ? kind % SAME_STACK : BigEndian.u2(old, at);
    at += kind < RESERVED ? 0 : 2;
    int place = before + 1 + distance;
    begin(kind, shift.of(place) - shift.of(before) - 1);
    if (kind == FULL) {
      types(number());
      types(number());
    } else if (kind > SAME_FAR) {
      types(kind - SAME_FAR);
    } else if (kind == SAME_STACK_FAR || (kind >= SAME_STACK && kind < RESERVED)) {
      types(1);
    }
    return place;
  }

  private void begin(int kind, int distance) {
    boolean near = kind < RESERVED && distance < SAME_STACK;
    if (near) {
      moved.write(kind - kind % SAME_STACK + distance);
      return;
    }
    if (kind < SAME_STACK) {
      moved.write(SAME_FAR);
    } else {
      moved.write(kind < RESERVED ? SAME_STACK_FAR : kind);
    }
    write(distance);
  }

  private void types(int count) {
    for (int left = count; left > 0; left--) {
      int type = old[at++];
      moved.write(type);
      if (type == OBJECT) {
        number();
      } else if (type == NEW) {
        // The instruction that made the object, not what stands before it now.
        write(shift.ofInsn(BigEndian.u2(old, at)));
        at += 2;
      }
    }
  }

  /** Copies a number. */
  private int number() {
    int number = BigEndian.u2(old, at);
    at += 2;
    write(number);
    return number;
  }

  private void write(int number) {
    moved.write(number >> 8);
    moved.write(number);
  }
}
