/**
 * A helper class that the build moves to {@code java.util.concurrent}, as {@code OffcutAddressMap}.
 * {@link dev.offcut.agent.base.JavaBase} explains why.
 */
@NullMarked
package dev.offcut.retrofit.base.concurrent;

import org.jspecify.annotations.NullMarked;
