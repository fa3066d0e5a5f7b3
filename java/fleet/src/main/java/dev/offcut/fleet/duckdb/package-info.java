/** Writes exports as Parquet. */
@NullMarked
package dev.offcut.parquet;

import org.jspecify.annotations.NullMarked;
