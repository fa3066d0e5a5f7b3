package dev.offcut.command;

import java.lang.foreign.Arena;

/** A program that closes what it opens, and ends at once. */
final class ClosingProgram {
  private ClosingProgram() {}

  /** No arguments. */
  public static void main(String[] args) {
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(100);
    }
    System.out.println("closed");
  }
}
