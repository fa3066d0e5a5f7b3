/**
 * Rewrites the JDK's object streams, so that they walk the stack less often. {@link
 * dev.offcut.agent.base.io.LatestLoader} has the algorithm, and {@link
 * dev.offcut.agent.stream.StreamClass} puts it into the JDK's class.
 */
@NullMarked
package dev.offcut.agent.stream;

import org.jspecify.annotations.NullMarked;
