package dev.offcut.agent;

import java.util.Locale;

/** A switch of the agent, or a value that it takes. */
public enum Option {
  /** The whole agent. */
  ENABLED,
  /** JNA's Memory keeps its book without garbage. */
  JNA,
  /** Object streams walk over the stack once an entry. */
  STREAMS,
  /** A class that a loader answered with is not asked for again. */
  CLASSCACHE,
  /** Elements of the JDK's collections are read within the entry of the collection. */
  COLLECTIONS,
  /** RMI's streams, likewise. */
  RMI,
  /** Every how manieth answer is compared with the stock one. */
  VERIFY(false),
  /** The file where the report goes at exit. */
  REPORT(false),
  /** The file with more options. */
  OPTIONS(false);

  private final boolean isSwitch;

  Option() {
    this(true);
  }

  Option(boolean isSwitch) {
    this.isSwitch = isSwitch;
  }

  /** Whether its values are on and off. */
  boolean isSwitch() {
    return isSwitch;
  }

  /** Its name among the agent's options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name as a system property. */
  String property() {
    return "offcut." + label();
  }

  /** Its name in the environment. */
  String variable() {
    return "OFFCUT_" + name();
  }
}
