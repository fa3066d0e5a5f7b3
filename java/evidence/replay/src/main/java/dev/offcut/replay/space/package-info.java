/**
 * A model of the memory of class loaders. A {@link dev.offcut.replay.space.Space} consists of
 * chunks, and {@link dev.offcut.replay.space.Space.Arena arenas} cut blocks out of them. One of
 * several {@link dev.offcut.replay.space.Policy policies} runs it. The model allocates no memory:
 * it only counts words.
 *
 * <p>Sizes and addresses are in words of eight bytes. All classes are for one thread.
 */
@NullMarked
package dev.offcut.replay.space;

import org.jspecify.annotations.NullMarked;
