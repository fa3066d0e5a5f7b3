/**
 * Pages that need nothing but themselves: {@link dev.offcut.cli.page.Page} is a template of the
 * folder {@code web}, filled in. The files of the folder are packed into this package.
 */
@NullMarked
package dev.offcut.cli.page;

import org.jspecify.annotations.NullMarked;
