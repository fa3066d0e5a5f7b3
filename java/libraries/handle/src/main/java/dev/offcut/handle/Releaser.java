package dev.offcut.handle;

/**
 * The static function that frees one native resource.
 *
 * <p>It receives only the raw value: an address, a descriptor or an id. So it cannot keep the
 * handle reachable. {@link HandleType.Builder#releaser} refuses a lambda that captures something,
 * and an object with fields.
 *
 * <p>The releaser runs on the thread that closes the handle. If that close was put off until a last
 * use or a last child, it runs on the thread that ends this use or closes this child. For a
 * forgotten handle it runs on a thread of the net. It may run for several resources at the same
 * time, and may open and close other handles.
 */
@FunctionalInterface
public interface Releaser {
  /**
   * Frees the resource. This method is called only once for a resource, so it must not need Java
   * heap: if it throws an {@link OutOfMemoryError}, the resource is lost. A downcall of {@code
   * java.lang.foreign} needs heap at its first call and once more after 127 calls.
   *
   * @param value the raw value
   * @throws Throwable any exception. On a thread that closes a handle, the caller of {@code close}
   *     gets it; a checked exception is then the cause of an {@link
   *     java.lang.reflect.UndeclaredThrowableException}. On a thread of the net, the exception is
   *     counted and reported to the {@link HandleListener}
   */
  void release(long value) throws Throwable;
}
