/**
 * Makes pages of HTML that need no other file. {@link dev.offcut.cli.page.Page} fills in a template
 * of the folder {@code web}. The files of that folder are packed into this package.
 */
@NullMarked
package dev.offcut.cli.page;

import org.jspecify.annotations.NullMarked;
