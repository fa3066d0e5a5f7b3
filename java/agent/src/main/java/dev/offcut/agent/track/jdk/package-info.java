/**
 * Stand-ins: what the helpers see of the JDK, where those that they run beside cannot be compiled
 * against. None is ever loaded.
 */
@NullMarked
package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.NullMarked;
