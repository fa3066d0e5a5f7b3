/**
 * Rewrites the JDK's object streams, so that they walk the stack less often. {@link
 * dev.offcut.retrofit.base.io.LatestLoader} has the algorithm, and {@link
 * dev.offcut.retrofit.stream.StreamClass} puts it into the JDK's class.
 */
@NullMarked
package dev.offcut.retrofit.stream;

import org.jspecify.annotations.NullMarked;
