/**
 * The agent: what {@code -javaagent:offcut-agent.jar} does for a program that knows nothing of
 * Offcut. {@link dev.offcut.agent.Agent} is where it starts, and each feature is a package below.
 */
@NullMarked
package dev.offcut.agent;

import org.jspecify.annotations.NullMarked;
