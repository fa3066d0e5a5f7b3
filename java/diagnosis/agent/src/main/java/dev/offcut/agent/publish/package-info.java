/**
 * What the agent tells: tables in a file, Flight Recorder events, a bean in JMX, accounts and the
 * report at the end. {@link dev.offcut.agent.publish.Ledger} reads what the helpers counted, {@link
 * dev.offcut.agent.publish.Watch} is the agent's thread.
 */
@NullMarked
package dev.offcut.agent.publish;

import org.jspecify.annotations.NullMarked;
