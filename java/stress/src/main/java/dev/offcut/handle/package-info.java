/** The proofs that need the net's inside: jcstress tests, injection, and {@link Peek}. */
@NullMarked
package dev.offcut.handle;

import org.jspecify.annotations.NullMarked;
