/**
 * A pool of native memory that limits and counts the memory of each part of a program, with arenas
 * for {@code java.lang.foreign} and heaps on it.
 */
module dev.offcut.memory {
  requires static org.jspecify;
  requires static java.management;
  requires static jdk.jfr;
  requires dev.offcut.handle;

  exports dev.offcut.memory;
}
