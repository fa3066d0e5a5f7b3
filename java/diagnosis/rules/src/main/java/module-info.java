/**
 * Rules that name the classes whose objects a program has to close, and how each is opened and
 * closed; and the rule that chooses the line of a stack that a person would mend.
 */
module dev.offcut.rules {
  requires static org.jspecify;

  exports dev.offcut.rules;
}
