/**
 * The agent of {@code -javaagent:offcut-agent.jar}, for programs that do not use Offcut. {@link
 * dev.offcut.agent.Agent} is its start. Each feature is a package below this one.
 */
@NullMarked
package dev.offcut.agent;

import org.jspecify.annotations.NullMarked;
