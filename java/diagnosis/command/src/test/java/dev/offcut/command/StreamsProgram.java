package dev.offcut.command;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** A program that reads four object streams, prints {@code ready}, and waits to be ended. */
final class StreamsProgram {
  private static final int READS = 4;

  private StreamsProgram() {}

  /** The argument {@code end}: it does not wait. Others do not count. */
  public static void main(String[] args) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(Thread.State.NEW);
    }
    for (int i = 0; i < READS; i++) {
      read(bytes.toByteArray());
    }
    System.out.println("ready");
    if (args.length == 0 || !args[0].equals("end")) {
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static void read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      in.readObject();
    }
  }
}
