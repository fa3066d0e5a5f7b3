/**
 * Arrow's buffers as blocks of a {@link dev.offcut.memory.MemoryPool}: {@link
 * dev.offcut.arrow.OffcutAllocationManagerFactory}.
 */
@NullMarked
package dev.offcut.arrow;

import org.jspecify.annotations.NullMarked;
