/** Suite {@code replay}: class loaders' memory under several allocators. */
@NullMarked
package dev.offcut.bench.replay;

import org.jspecify.annotations.NullMarked;
