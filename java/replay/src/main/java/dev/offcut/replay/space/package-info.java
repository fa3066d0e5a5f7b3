/**
 * The memory of class loaders, as a model: a {@link dev.offcut.replay.space.Space} of chunks, from
 * which {@link dev.offcut.replay.space.Space.Arena arenas} cut blocks, run by one of several {@link
 * dev.offcut.replay.space.Policy policies}. Nothing is allocated in truth: words are counted.
 *
 * <p>Sizes and addresses are in words of eight bytes. Everything is for one thread.
 */
@NullMarked
package dev.offcut.replay.space;

import org.jspecify.annotations.NullMarked;
