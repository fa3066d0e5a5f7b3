package dev.offcut.agent.hooks.code;

/** A class is not as the retrofit knows it. The message says in what, in a few words. */
public final class UnknownShapeException extends Exception {
  private static final long serialVersionUID = 1;

  /** Says in what. */
  public UnknownShapeException(String what) {
    super(what);
  }
}
