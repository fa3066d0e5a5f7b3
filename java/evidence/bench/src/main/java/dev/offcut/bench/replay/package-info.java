/** Suite {@code replay}: class loaders' memory under several allocators, and in a real JVM. */
@NullMarked
package dev.offcut.bench.replay;

import org.jspecify.annotations.NullMarked;
