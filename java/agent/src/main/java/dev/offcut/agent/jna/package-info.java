/**
 * The retrofit of JNA: its class Memory keeps the book of what is allocated in a map that makes no
 * garbage. {@link dev.offcut.agent.jna.JnaRetrofit} is where it starts.
 */
@NullMarked
package dev.offcut.agent.jna;

import org.jspecify.annotations.NullMarked;
