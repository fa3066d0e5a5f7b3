/**
 * Suite {@code objectstream}: the cost of reading a graph from an object stream, and the cost of
 * the agent.
 *
 * <p>Start at {@link dev.offcut.bench.objectstream.ObjectstreamSuite}. The measured code is {@code
 * dev.offcut.bench.objectstream}; it runs in child JVMs of several JDKs. {@link
 * dev.offcut.bench.objectstream.Programs} makes the programs that they run.
 */
@NullMarked
package dev.offcut.bench.objectstream;

import org.jspecify.annotations.NullMarked;
