/**
 * Rules that name the classes whose objects a program has to close, and how each is opened and
 * closed.
 */
module dev.offcut.rules {
  requires static org.jspecify;

  exports dev.offcut.rules;
}
