package dev.offcut.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test that leaves a resource open for a later test of its class or for {@code @AfterAll}.
 * {@link NoNativeLeaks} then checks what this test opened at the end of the class, and fails the
 * class. On a class, all of its tests are such tests.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Shared {}
