package dev.offcut.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Inflater;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

class JdkPackagesTest {
  private final JdkPackages packages = new JdkPackages();

  JdkPackagesTest() {
    packages.addThatOf("java/util/concurrent/ThreadPoolExecutor");
    packages.addThatOf("java/util/zip/Inflater");
    packages.addThatOf("java/util/zip/Deflater");
    packages.addThatOf("sun/nio/ch/SelectorImpl");
  }

  @Test
  void contain_classesOfThePackages() {
    assertThat(packages.contain(Inflater.class)).isTrue();
    assertThat(packages.contain(ZipFile.class)).isTrue();
    assertThat(packages.contain(ConcurrentHashMap.class)).isTrue();
    assertThat(packages.contain("java/util/zip/ZipFile$Source")).isTrue();
    assertThat(packages.contain("sun/nio/ch/Util")).isTrue();
  }

  @Test
  void contain_noOthers() {
    assertThat(packages.contain(AtomicLong.class)).isFalse();
    assertThat(packages.contain(String.class)).isFalse();
    assertThat(packages.contain(int.class)).isFalse();
    assertThat(packages.contain(Inflater[].class)).isFalse();
    assertThat(packages.contain("java/util/concurrent/atomic/AtomicLong")).isFalse();
    assertThat(packages.contain("java/util/zip")).isFalse();
    assertThat(packages.contain("Empty")).isFalse();
  }

  @Test
  void contain_nothing_withoutPackages() {
    JdkPackages none = new JdkPackages();
    none.addThatOf("Unnamed");
    assertThat(none.contain(String.class)).isFalse();
    assertThat(none.contain("Unnamed")).isFalse();
  }
}
