/**
 * Rewrites JNA's class {@code Memory}, so that it keeps its table of allocations in a map without
 * boxed keys and without an object for each entry. {@link dev.offcut.retrofit.jna.JnaRetrofit} is
 * the start.
 */
@NullMarked
package dev.offcut.retrofit.jna;

import org.jspecify.annotations.NullMarked;
