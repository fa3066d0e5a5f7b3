/** What tracking costs a program that opens and closes. */
@NullMarked
package dev.offcut.bench.child.track;

import org.jspecify.annotations.NullMarked;
