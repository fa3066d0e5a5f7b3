/**
 * The command in the agent's jar: looks at the JVMs of this machine and puts the agent into them.
 * Nothing of it is loaded in the JVMs that the agent is in.
 */
@NullMarked
package dev.offcut.agent.command;

import org.jspecify.annotations.NullMarked;
