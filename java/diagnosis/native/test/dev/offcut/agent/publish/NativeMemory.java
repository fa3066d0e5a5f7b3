package dev.offcut.agent.publish;

/** Stands for the agent's class of this name, for which the library registers its methods. */
public final class NativeMemory {
  private NativeMemory() {}

  public static native void detach0();

  public static native boolean attach0(String file);

  public static native long held0();
}
