/**
 * Proofs that need the package-private parts of handles: jcstress tests, fault injection, and
 * {@link Peek}.
 */
@NullMarked
package dev.offcut.handle;

import org.jspecify.annotations.NullMarked;
