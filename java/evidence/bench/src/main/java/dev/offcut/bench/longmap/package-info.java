/** Suite {@code longmap}: the cost of finding a value by an address. */
@NullMarked
package dev.offcut.bench.longmap;

import org.jspecify.annotations.NullMarked;
