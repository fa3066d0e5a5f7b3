package dev.offcut.agent;

/** A program that does nothing. */
public final class EmptyProgram {
  private EmptyProgram() {}

  /** Ends. */
  public static void main(String[] args) {
    // nothing to do
  }
}
