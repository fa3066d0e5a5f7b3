/** Writes a {@link dev.offcut.cli.digest.Digest} as text, JSON and a page. */
@NullMarked
package dev.offcut.cli.report;

import org.jspecify.annotations.NullMarked;
