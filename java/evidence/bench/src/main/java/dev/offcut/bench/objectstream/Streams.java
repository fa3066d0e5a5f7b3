package dev.offcut.bench.objectstream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectOutputStream;

/** Writes graphs and opens streams that read them, of one class in one JVM. */
interface Streams {
  /** Returns a graph in the format that {@link #open} reads; by default in that of the JDK. */
  default byte[] written(Object graph) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(graph);
    }
    return bytes.toByteArray();
  }

  ObjectInput open(InputStream in) throws IOException;
}
