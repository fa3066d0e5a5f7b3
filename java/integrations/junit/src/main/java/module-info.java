/** An annotation for JUnit 5 and 6: a test that leaks native memory or handles fails. */
module dev.offcut.junit {
  requires static org.jspecify;
  requires static dev.offcut.handle;
  requires static transitive org.junit.jupiter.api;

  exports dev.offcut.junit;
}
