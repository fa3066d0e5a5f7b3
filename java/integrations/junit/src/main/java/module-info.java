/**
 * An annotation for JUnit 5 and 6 and for TestNG: a test that leaks native memory or handles fails.
 */
module dev.offcut.junit {
  requires static org.jspecify;
  requires static dev.offcut.handle;
  requires static transitive org.junit.jupiter.api;
  requires static org.testng;

  exports dev.offcut.junit;
}
