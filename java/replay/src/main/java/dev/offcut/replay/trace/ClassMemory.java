package dev.offcut.replay.trace;

/**
 * The memory that classes take.
 *
 * @param classWords one block in class space; 0 for none
 * @param nonClassWords elsewhere, all blocks together
 * @param nonClassBlocks how many blocks of about one size that is; 0 if there is none
 */
public record ClassMemory(long classWords, long nonClassWords, int nonClassBlocks) {
  /** Block {@code index}, from 0, of those outside class space. */
  public long nonClassBlock(int index) {
    long larger = nonClassWords % nonClassBlocks;
    return nonClassWords / nonClassBlocks + (index < larger ? 1 : 0);
  }

  public long words() {
    return classWords + nonClassWords;
  }
}
