package dev.offcut.agent.track;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program of all kinds, whose counts are known. Arguments: those of {@link TrackedProgram}.
 *
 * <p>Direct memory is to be limited: then threads that wait for it free what the collector found.
 */
public final class TruthProgram {
  /** Object streams that are read. */
  static final int STREAMS = 100;

  /** Blocks of direct memory, which fill its limit several times. */
  static final int BLOCKS = 100;

  private static final int BLOCK = 1 << 20;

  private TruthProgram() {}

  public static void main(String[] args) throws Exception {
    forgetUnderPressure();
    TrackedProgram.main(args);
    read();
    System.out.println("end");
  }

  private static void forgetUnderPressure() {
    for (int i = 0; i < BLOCKS; i++) {
      ByteBuffer.allocateDirect(BLOCK).putInt(0, i);
    }
  }

  private static void read() throws Exception {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      objects.add(List.of(i, Map.of("key", i), "text " + i));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(objects);
    }
    String expected = objects.toString();
    for (int i = 0; i < STREAMS; i++) {
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        if (!in.readObject().toString().equals(expected)) {
          throw new AssertionError("another object than was written");
        }
      }
    }
  }
}
