package dev.offcut.heap;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The program that the command runs to read a heap dump, in a JVM of its own: a large dump needs
 * memory that the command has not.
 *
 * <p>It prints a line for each way in which objects of a kind are held, with three fields between
 * tabs: the kind, how many objects, and by what. The first line is its format.
 */
public final class Main {
  private static final String FORMAT = "offcut.heap/1";

  private Main() {}

  /** The dump. */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    out.println(FORMAT);
    for (Holders.Held held : Holders.of(new File(args[0]))) {
      out.println(held.kind() + '\t' + held.count() + '\t' + held.by());
    }
    out.flush();
  }
}
