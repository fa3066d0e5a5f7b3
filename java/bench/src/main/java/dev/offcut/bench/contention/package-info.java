/** How throughput grows with threads, of each structure of Offcut's and of peers. */
@NullMarked
package dev.offcut.bench.contention;

import org.jspecify.annotations.NullMarked;
