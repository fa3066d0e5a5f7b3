package dev.offcut.apps;

/** How often a program does its work: its first argument, or once. */
final class Times {
  private Times() {}

  static int of(String[] args) {
    return args.length == 0 ? 1 : Integer.parseInt(args[0]);
  }
}
