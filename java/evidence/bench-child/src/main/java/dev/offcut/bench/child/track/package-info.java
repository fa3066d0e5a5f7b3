/** Measures what tracking costs a program that opens and closes resources. */
@NullMarked
package dev.offcut.bench.child.track;

import org.jspecify.annotations.NullMarked;
