package shop;

/** The same tests, not checked: what the check costs is the difference. */
class ManyUncheckedTests extends Many {}
