/** Suite {@code objectstream}: the cost of reading a graph from an object stream. */
@NullMarked
package dev.offcut.bench.objectstream;

import org.jspecify.annotations.NullMarked;
