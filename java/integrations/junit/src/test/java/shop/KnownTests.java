package shop;

import dev.offcut.junit.NoNativeLeaks;
import dev.offcut.junit.Shared;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests with leaks that are known, and one with another leak. */
@NoNativeLeaks(ignore = {"shop.KnownTests.leaksKnown", "shop.KnownTests$Inner", "shop.Nothing"})
class KnownTests {
  @Test
  void leaksKnown() {
    new Image();
    new Image();
  }

  @Test
  @Shared
  void leaksKnownShared() {
    new Image();
  }

  @Test
  void leaksOther() {
    new Image();
  }

  @Test
  @NoNativeLeaks(ignore = {"imag", "pixel"})
  void leaksByKind() {
    new Image();
  }

  @TestFactory
  @NoNativeLeaks(ignore = "shop.KnownTests.lambda$makes")
  Stream<DynamicTest> makes() {
    return Stream.of(DynamicTest.dynamicTest("dynamic", () -> new Image()));
  }

  @Nested
  class Inner {
    @Test
    void leaksInside() {
      new Image();
    }
  }
}

/** Whose list would ignore everything. */
@NoNativeLeaks(ignore = {"shop.Image", " "})
class BlankTests {
  @Test
  void closes() {
    new Image().close();
  }
}

/** A test whose list has a line, as it is printed. */
@NoNativeLeaks
class LineTests {
  @Test
  @NoNativeLeaks(ignore = "shop.LineTests.leaks(KnownTests.java:66)")
  void leaks() {
    new Image();
  }

  @Test
  void closes() {
    new Image().close();
  }
}
