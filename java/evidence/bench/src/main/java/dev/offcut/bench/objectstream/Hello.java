package dev.offcut.bench.objectstream;

/** {@code startup}: a program that does next to nothing. */
public final class Hello {
  private Hello() {}

  public static void main(String[] args) {
    System.out.println("hello");
  }
}
