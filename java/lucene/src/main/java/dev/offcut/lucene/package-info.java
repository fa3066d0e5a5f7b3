/**
 * Directories for Lucene. {@link dev.offcut.lucene.PoolDirectory} keeps an index in memory of a
 * {@link dev.offcut.memory.MemoryPool}. {@link dev.offcut.lucene.MappedDirectory} maps the files of
 * an index, and ends the mapping of each file soon after the file is closed.
 */
@NullMarked
package dev.offcut.lucene;

import org.jspecify.annotations.NullMarked;
