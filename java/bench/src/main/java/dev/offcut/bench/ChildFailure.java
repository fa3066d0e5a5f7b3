package dev.offcut.bench;

/** A child JVM that did not end well. The message says how, with the end of its output. */
final class ChildFailure extends Exception {
  private static final long serialVersionUID = 1;

  ChildFailure(String message) {
    super(message);
  }
}
