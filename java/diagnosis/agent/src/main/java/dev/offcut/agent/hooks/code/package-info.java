/** Class files: reads them, compares their code with known shapes, changes them and writes them. */
@NullMarked
package dev.offcut.agent.hooks.code;

import org.jspecify.annotations.NullMarked;
