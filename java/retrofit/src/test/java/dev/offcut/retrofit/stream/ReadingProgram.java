package dev.offcut.retrofit.stream;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A program that reads nested lists, and says how often its streams walked for that. */
public final class ReadingProgram {
  private static final int NESTED = 5;

  private ReadingProgram() {}

  /** What to do, and the agent's jar if it is to be attached. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "attachFirst" -> attach(args[1]);
      case "readFirst" -> {
        read();
        attach(args[1]);
        System.out.println("fields " + fields());
      }
      default -> {}
    }
    System.out.println("read " + read());
    if (args[0].equals("lists")) {
      System.out.println("walks " + counts()[0]);
    }
  }

  static void attach(String agent) throws Exception {
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    self.loadAgent(agent);
    self.detach();
  }

  private static List<Object> lists() {
    List<Object> outer = new ArrayList<>();
    List<Object> innermost = outer;
    for (int i = 0; i < NESTED; i++) {
      List<Object> inner = new ArrayList<>();
      innermost.add(inner);
      innermost = inner;
    }
    // Each of these is a class to resolve, which the stock stream walks for.
    innermost.addAll(List.of(1, 2L, 3f, 4d, 'c'));
    return outer;
  }

  private static Object read() throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(StreamCases.bytes(lists()))) {
      return in.readObject();
    }
  }

  private static List<String> fields() {
    return Arrays.stream(ObjectInputStream.class.getDeclaredFields())
        .map(Field::getName)
        .filter(name -> name.startsWith("offcut"))
        .toList();
  }

  /** How many walks there were, and how many the agent saved; without it, none. */
  static long[] counts() throws ReflectiveOperationException {
    try {
      Class<?> counter = Class.forName("java.io.OffcutStreamCounts");
      return (long[]) counter.getMethod("counts").invoke(null);
    } catch (ClassNotFoundException e) {
      return new long[2];
    }
  }
}
