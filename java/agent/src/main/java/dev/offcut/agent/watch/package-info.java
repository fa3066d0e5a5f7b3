/**
 * Closeables by rule: objects of classes that a program has to close, the user's own or a
 * library's. Their classes are rewritten when they are loaded.
 */
@NullMarked
package dev.offcut.agent.watch;

import org.jspecify.annotations.NullMarked;
