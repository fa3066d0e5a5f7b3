package dev.offcut.agent;

import java.util.Locale;

/** A switch of the agent. */
enum Option {
  /** The whole agent. */
  ENABLED,
  /** JNA's Memory keeps its book without garbage. */
  JNA;

  /** Its name among the agent's options. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name as a system property. */
  String property() {
    return "offcut." + label();
  }
}
