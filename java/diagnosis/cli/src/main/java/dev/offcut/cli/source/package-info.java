/**
 * Reads what is recorded about a program: tables of the agent, recordings of Flight Recorder,
 * directories of recordings, and running programs.
 */
@NullMarked
package dev.offcut.cli.source;

import org.jspecify.annotations.NullMarked;
