/**
 * Object streams without the walk over the stack: {@link dev.offcut.agent.base.io.LatestLoader} is
 * the algorithm, {@link dev.offcut.agent.stream.StreamClass} puts it into the JDK's class.
 */
@NullMarked
package dev.offcut.agent.stream;

import org.jspecify.annotations.NullMarked;
