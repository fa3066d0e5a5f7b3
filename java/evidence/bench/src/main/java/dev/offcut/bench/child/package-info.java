/** What the programs that are measured report with. */
@NullMarked
package dev.offcut.bench.child;

import org.jspecify.annotations.NullMarked;
