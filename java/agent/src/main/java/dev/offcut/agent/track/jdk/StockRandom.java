package dev.offcut.agent.track.jdk;

/** Stands for {@code java.util.concurrent.ThreadLocalRandom}. */
public abstract class StockRandom {
  private StockRandom() {}

  /** A number that threads differ in; 0: it has none yet. */
  public static native int getProbe();

  /** Gives the thread one. */
  public static native void localInit();
}
