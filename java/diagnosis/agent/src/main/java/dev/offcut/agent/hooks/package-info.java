/**
 * Which classes of the JDK and of libraries are rewritten so that they say what they open and
 * close, and the proof that a kind is counted rightly. {@link dev.offcut.agent.hooks.Patching} is
 * the start.
 */
@NullMarked
package dev.offcut.agent.hooks;

import org.jspecify.annotations.NullMarked;
