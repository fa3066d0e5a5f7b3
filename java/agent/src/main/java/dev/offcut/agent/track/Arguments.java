package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockVm;

/**
 * What the JVM was given. A helper: a copy of it in java.base runs, since management is a tenth of
 * a second away.
 */
public final class Arguments {
  private Arguments() {}

  /** Whether the JVM looks at this run to make an AOT cache of it. */
  public static boolean train() {
    for (String argument : StockVm.getRuntimeArguments()) {
      if (argument.startsWith("-XX:AOTCacheOutput=")
          || argument.startsWith("-XX:AOTConfiguration=")
          || argument.equals("-XX:AOTMode=record")) {
        return true;
      }
    }
    return false;
  }
}
