package dev.offcut.bench.child.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

/** Opens streams, of one class in one JVM. */
interface Streams {
  ObjectInputStream open(InputStream in) throws IOException;
}
