/**
 * An allocator for Netty whose direct buffers are blocks of a {@link dev.offcut.memory.MemoryPool}:
 * {@link dev.offcut.netty.OffcutByteBufAllocator}.
 */
@NullMarked
package dev.offcut.netty;

import org.jspecify.annotations.NullMarked;
