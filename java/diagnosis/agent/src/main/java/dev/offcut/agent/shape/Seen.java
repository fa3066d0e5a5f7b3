package dev.offcut.agent.shape;

import org.jspecify.annotations.Nullable;

/**
 * A class that has been met.
 *
 * @param number stands for its name
 * @param above those of the class above it and of its interfaces; 0: the JDK's
 * @param place where it comes from: for whoever reads class files
 */
@SuppressWarnings("ArrayRecordComponent") // one is kept for each class, and none is compared
record Seen(String name, long number, long[] above, QuickLook look, @Nullable Object place) {
  boolean has(int mark) {
    return (look.marks() & mark) != 0;
  }
}
