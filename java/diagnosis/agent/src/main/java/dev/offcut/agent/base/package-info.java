/**
 * Classes that rewritten code calls, in a place where every class can see them. {@link
 * dev.offcut.agent.base.JavaBase} explains why and how.
 */
@NullMarked
package dev.offcut.agent.base;

import org.jspecify.annotations.NullMarked;
