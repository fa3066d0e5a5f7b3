package dev.offcut.agent.track;

import org.jspecify.annotations.Nullable;

/** The witness of a session whose opening left its stack. */
final class SampledWitness extends Witness {
  private final int token;

  SampledWitness(@Nullable Entry entry, int token) {
    super(entry);
    this.token = token;
  }

  @Override
  int token() {
    return token;
  }
}
