package dev.offcut.bench.objectstream;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInput;
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
  /** As in the rows. */
  @Param("stock")
  public String impl = "";

  /** That of the case. */
  @Param("flat_100")
  public String graph = "";

  private Subject subject = Subject.STOCK;
  private byte[] bytes = {};
  private @Nullable Object last;

  /** Writes the graph. */
  @Setup
  public void setUp() throws ReflectiveOperationException, IOException {
    subject = Subject.named(impl);
    bytes = subject.written(Graph.named(graph).create());
  }

  /** One graph. */
  @Benchmark
  public Object read() throws IOException, ClassNotFoundException {
    try (ObjectInput in = subject.open(new ByteArrayInputStream(bytes))) {
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
