package dev.offcut.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test that opens a native resource and does not close it. The failure names the kind of
 * the resource and the line that opened it.
 *
 * <p>The check comes after {@code @AfterEach}, and after the test instance and its extensions were
 * closed. What {@code @BeforeAll} opens has to be closed when {@code @AfterAll} has ended. The
 * check needs no garbage collection and does not wait. {@link Shared} is for tests that leave
 * something open for a later test.
 *
 * <p>On a class, the annotation is for all tests of the class, of its subclasses and of its nested
 * classes. On a method, it is for this test. On a package, it is for the classes in this package,
 * and JUnit must detect extensions automatically: {@code
 * junit.jupiter.extensions.autodetection.enabled=true}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PACKAGE})
@ExtendWith(NativeLeakExtension.class)
public @interface NoNativeLeaks {
  /**
   * Leaks that are known, for which no test fails. Each string is the beginning of the class of
   * what was opened, such as {@code org.rocksdb.RocksIterator}, or of the class and the method of
   * the program's line, such as {@code shop.PhotosTest.shows}. The strings of a class are for its
   * tests, those of a method for this test.
   *
   * <p>When the class has ended, one line tells what was ignored, and each string that has matched
   * no leak is named. The configuration parameter {@code offcut.junit.ignore} names a file with
   * strings for all tests, one a line.
   *
   * @return the strings; none unless given
   */
  String[] ignore() default {};
}
