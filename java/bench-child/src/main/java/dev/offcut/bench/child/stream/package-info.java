/**
 * Suite {@code objectstream}, the side that measures: reads object graphs from streams ({@link
 * dev.offcut.bench.child.stream.ReadGraph}), sends one to and fro ({@link
 * dev.offcut.bench.child.stream.RmiRoundTrip}), and starts ({@link
 * dev.offcut.bench.child.stream.Hello}, {@link dev.offcut.bench.child.stream.LoadClasses}).
 */
@NullMarked
package dev.offcut.bench.child.stream;

import org.jspecify.annotations.NullMarked;
