package dev.offcut.replay.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.trace.Op.ClassMemory;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SizeEstimateTest {
  private static ClassMemory of(String name) throws Exception {
    try (ClassFiles files =
        new ClassFiles(System.getProperty("java.home"), List.of("target/test-classes"))) {
      return Objects.requireNonNull(new SizeEstimate(files).of(name));
    }
  }

  /** None of its own. */
  static class Empty {}

  /** Two more methods in the table; the third overrides. */
  static class Three extends Empty {
    void first() {}

    void second() {}

    @Override
    public String toString() {
      return "three";
    }

    static void notVirtual() {}
  }

  @Test
  void of_virtualMethods_areAWordEachButForOverrides() throws Exception {
    ClassMemory empty = of(Empty.class.getName());
    ClassMemory three = of(Three.class.getName());
    assertThat(three.classWords()).isEqualTo(empty.classWords() + 2);
    assertThat(three.nonClassWords()).isGreaterThan(empty.nonClassWords() + 4 * 19);
    assertThat(three.nonClassBlocks()).isEqualTo(empty.nonClassBlocks() + 4 * 2);
  }

  @Test
  void of_interface_hasNoTable() throws Exception {
    assertThat(of("java.util.Map").classWords()).isLessThan(of("java.util.HashMap").classWords());
  }

  @Test
  void of_classNobodyHas_isNone() throws Exception {
    try (ClassFiles files = new ClassFiles("no such JDK", List.of("no such jar"))) {
      assertThat(new SizeEstimate(files).of("java.lang.String")).isNull();
    }
  }
}
