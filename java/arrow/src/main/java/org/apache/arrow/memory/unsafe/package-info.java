/**
 * The names by which Arrow finds where its memory comes from. Arrow looks up two classes of this
 * package, and no others that a library could provide.
 */
@NullMarked
package org.apache.arrow.memory.unsafe;

import org.jspecify.annotations.NullMarked;
