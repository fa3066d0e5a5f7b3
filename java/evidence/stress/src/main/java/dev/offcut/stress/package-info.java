/**
 * Proofs of the handles' protocol with whole processes: races with the collector, floods, faults.
 */
@NullMarked
package dev.offcut.stress;

import org.jspecify.annotations.NullMarked;
