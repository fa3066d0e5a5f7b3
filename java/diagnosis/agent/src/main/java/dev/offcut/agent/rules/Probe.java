package dev.offcut.agent.rules;

/**
 * A closeable of the agent's own: it is rewritten as those of the program are, and so shows whether
 * they are counted rightly on this JDK.
 */
public final class Probe implements AutoCloseable {
  /** Closes nothing. */
  @Override
  public void close() {
    // it is counted
  }
}
