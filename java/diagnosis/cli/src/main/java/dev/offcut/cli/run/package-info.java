/** Runs a program under the agent. */
@NullMarked
package dev.offcut.cli.run;

import org.jspecify.annotations.NullMarked;
