package dev.offcut.agent.base;

/** A program that does nothing; and an agent that loads a class of java.base before ours does. */
public final class CarrierAgent {
  private CarrierAgent() {}

  /** Ends. */
  public static void main(String[] args) {
    // nothing to do
  }

  /** Loads it. */
  public static void premain(String options) throws ClassNotFoundException {
    Class.forName("sun.net.ftp.FtpLoginException", true, null);
  }
}
