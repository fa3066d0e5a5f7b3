/**
 * Suite {@code objectstream}: what reading a graph from an object stream costs, and what it costs
 * to have the agent.
 *
 * <p>Start at {@link dev.offcut.bench.objectstream.ObjectstreamSuite}. What is measured is {@code
 * dev.offcut.bench.child.stream}, in child JVMs of more than one JDK; {@link
 * dev.offcut.bench.objectstream.Programs} makes what they run.
 */
@NullMarked
package dev.offcut.bench.objectstream;

import org.jspecify.annotations.NullMarked;
