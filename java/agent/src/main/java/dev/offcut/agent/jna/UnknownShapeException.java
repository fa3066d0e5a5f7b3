package dev.offcut.agent.jna;

/** A class is not as the retrofit knows it. The message says in what, in a few words. */
final class UnknownShapeException extends Exception {
  private static final long serialVersionUID = 1;

  UnknownShapeException(String what) {
    super(what);
  }
}
