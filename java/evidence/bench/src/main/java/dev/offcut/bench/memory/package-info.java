/** Suite {@code memory}: the cost of native memory in blocks, and how much of it stays resident. */
@NullMarked
package dev.offcut.bench.memory;

import org.jspecify.annotations.NullMarked;
