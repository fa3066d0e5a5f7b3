package dev.offcut.agent.base.concurrent;

/**
 * What the JVM was given. A helper: a copy of it in java.base runs, since management is a tenth of
 * a second away.
 */
public final class Arguments {
  /** The system property that is there when it is so. */
  public static final String TRAINS = "offcut.agent.trains";

  static {
    // Reflection, to ask, would cost the start of each program more than it costs these.
    if (train()) {
      System.setProperty(TRAINS, "true");
    }
  }

  private Arguments() {}

  /** Whether the JVM looks at this run to make an AOT cache of it. */
  private static boolean train() {
    String[] all = Stock.Vm.getRuntimeArguments();
    if (all == null) {
      return false; // an attached agent's JVM may have none
    }
    for (String argument : all) {
      if (argument.startsWith("-XX:AOTCacheOutput=")
          || argument.startsWith("-XX:AOTConfiguration=")
          || argument.equals("-XX:AOTMode=record")) {
        return true;
      }
    }
    return false;
  }
}
