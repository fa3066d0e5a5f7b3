package dev.offcut.handle;

/**
 * The static function that frees one native resource.
 *
 * <p>It gets the raw value (an address, a descriptor, an id) and nothing else, so that it cannot
 * keep the handle reachable: a lambda that captures, or an object with fields, is refused when the
 * type is created. It runs on the thread that closes, or on a thread of the net for a forgotten
 * handle; it may run for several resources at the same time and may open and close other handles.
 */
@FunctionalInterface
public interface Releaser {
  /**
   * Frees the resource. It is never called again for the same resource, so it must not need Java
   * heap: if it throws an {@link OutOfMemoryError}, the resource is lost. {@link
   * HandleType.Builder#rehearse} prepares a downcall of {@code java.lang.foreign}.
   *
   * @param value the raw value
   * @throws Throwable anything. On a thread that closes, the exception reaches the caller of {@code
   *     close}; a checked exception is then the cause of an {@link
   *     java.lang.reflect.UndeclaredThrowableException}. On a thread of the net, the exception is
   *     counted and reported to the {@link HandleListener}
   */
  void release(long value) throws Throwable;
}
