/**
 * Classes that rewritten code calls, put where any class can see them: {@link
 * dev.offcut.agent.base.JavaBase} says how and why.
 */
@NullMarked
package dev.offcut.agent.base;

import org.jspecify.annotations.NullMarked;
