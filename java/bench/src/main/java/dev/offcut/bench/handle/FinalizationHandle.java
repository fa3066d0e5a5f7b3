package dev.offcut.bench.handle;

/** A handle of the program {@link Finalization}: it can be used, and closed. */
interface FinalizationHandle extends Closing {
  long use();
}
