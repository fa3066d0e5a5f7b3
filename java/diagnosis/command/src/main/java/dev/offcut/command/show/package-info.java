/** Shows what is known: as text, JSON, pages and the formats of other tools. */
@NullMarked
package dev.offcut.command.show;

import org.jspecify.annotations.NullMarked;
