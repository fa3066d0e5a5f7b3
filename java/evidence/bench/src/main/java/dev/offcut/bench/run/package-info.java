/** Suite {@code run}: what tracking costs whole programs that do not use Offcut. */
@NullMarked
package dev.offcut.bench.run;

import org.jspecify.annotations.NullMarked;
