package dev.offcut.command;

import java.io.ObjectInputStream;
import java.lang.reflect.Field;
import java.util.Arrays;

/** Says whether the class of its object streams is the JDK's or a rewritten one. */
public final class RewrittenProgram {
  private RewrittenProgram() {}

  /** Nothing is needed. */
  public static void main(String[] args) {
    boolean rewritten =
        Arrays.stream(ObjectInputStream.class.getDeclaredFields())
            .map(Field::getName)
            .anyMatch(name -> name.startsWith("offcut"));
    System.out.println("rewritten " + rewritten);
  }
}
