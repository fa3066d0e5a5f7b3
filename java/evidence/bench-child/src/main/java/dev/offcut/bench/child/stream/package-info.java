/**
 * Suite {@code objectstream}, the part that runs in child JVMs. {@link
 * dev.offcut.bench.child.stream.ReadGraph} reads object graphs from streams, and {@link
 * dev.offcut.bench.child.stream.RmiRoundTrip} sends one to and fro. {@link
 * dev.offcut.bench.child.stream.Hello} and {@link dev.offcut.bench.child.stream.LoadClasses}
 * measure the start of a program.
 */
@NullMarked
package dev.offcut.bench.child.stream;

import org.jspecify.annotations.NullMarked;
