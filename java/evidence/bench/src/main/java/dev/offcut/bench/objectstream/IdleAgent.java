package dev.offcut.bench.objectstream;

/** An agent that does nothing: what any agent costs at the start. */
public final class IdleAgent {
  private IdleAgent() {}

  public static void premain(String options) {}
}
