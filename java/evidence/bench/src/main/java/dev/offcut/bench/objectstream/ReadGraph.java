package dev.offcut.bench.objectstream;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Opens a stream on the bytes of a graph and reads it. */
@State(Scope.Thread)
public class ReadGraph {
  @Param("stock")
  public String impl = "";

  @Param("flat_100")
  public String graph = "";

  private Subject subject = Subject.STOCK;
  private byte[] bytes = {};
  private @Nullable Object last;

  @Setup
  public void setUp() throws ReflectiveOperationException, IOException {
    subject = Subject.named(impl);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(written)) {
      out.writeObject(Graph.named(graph).create());
    }
    bytes = written.toByteArray();
  }

  @Benchmark
  public Object read() throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      Object read = in.readObject();
      last = read;
      return read;
    }
  }

  /** The graph is the one that was written, and the JVM is what the row says. */
  @TearDown
  public void check() {
    Graph.named(graph).check(java.util.Objects.requireNonNull(last));
    subject.check();
  }
}
