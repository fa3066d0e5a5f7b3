/** Reads a heap dump, and says what holds the resources that are open. */
@NullMarked
package dev.offcut.heap;

import org.jspecify.annotations.NullMarked;
