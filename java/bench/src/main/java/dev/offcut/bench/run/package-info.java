/** Suite {@code run}: what tracking costs whole programs that know nothing of it. */
@NullMarked
package dev.offcut.bench.run;

import org.jspecify.annotations.NullMarked;
