/** Writes a {@link dev.offcut.cli.digest.Digest} in the formats of other tools. */
@NullMarked
package dev.offcut.cli.export;

import org.jspecify.annotations.NullMarked;
