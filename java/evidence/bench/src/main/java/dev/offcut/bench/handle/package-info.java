/** Suite {@code handle}: the cost of making sure that a native resource is not lost. */
@NullMarked
package dev.offcut.bench.handle;

import org.jspecify.annotations.NullMarked;
