/**
 * Which classes own native memory, by the shape of their class files. No name of a library decides.
 */
@NullMarked
package dev.offcut.agent.shape;

import org.jspecify.annotations.NullMarked;
