/** Whole-process proofs of the handles' protocol: races with the collector, floods, faults. */
@NullMarked
package dev.offcut.stress;

import org.jspecify.annotations.NullMarked;
