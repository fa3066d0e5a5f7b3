/**
 * Counts closeables by rule: objects of classes that a program has to close, of a library or of the
 * program itself. Their classes are rewritten when they are loaded.
 */
@NullMarked
package dev.offcut.agent.rules;

import org.jspecify.annotations.NullMarked;
