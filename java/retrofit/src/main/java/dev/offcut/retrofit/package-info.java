/**
 * The agent of {@code -javaagent:offcut-retrofit.jar}, which makes programs faster that cannot be
 * changed: object streams that walk the stack less often, and JNA's {@code Memory} without garbage.
 * {@link dev.offcut.retrofit.Agent} is the start.
 */
@NullMarked
package dev.offcut.retrofit;

import org.jspecify.annotations.NullMarked;
