package dev.offcut.bench.objectstream;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInput;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens a stream on the bytes of a graph and reads it, again and again.
 *
 * <p>Arguments: implementation, graph, CPU seconds of warm-up, seconds of measurement.
 */
public final class ReadGraph implements Workers.Work {
  /** Read between two looks at the clock: tens of graphs, and one of the largest. */
  private static final int CHUNK_BYTES = 50_000;

  private final Subject subject;
  private final Graph graph;
  private final Streams streams;
  private final byte[] bytes;
  private @Nullable Object last;

  private ReadGraph(Subject subject, Graph graph) throws ReflectiveOperationException, IOException {
    this.subject = subject;
    this.graph = graph;
    this.streams = subject.streams();
    this.bytes = streams.written(graph.create());
  }

  public static void main(String[] args) throws Exception {
    read(args[0], args[1], args[2], args[3]).reportMicros();
  }

  /** The same, not reported: for who looks on from outside. */
  public static Workers.Result read(String impl, String graph, String warmUp, String seconds)
      throws Exception {
    ReadGraph work = new ReadGraph(Subject.named(impl), Graph.named(graph));
    return Workers.run(List.of(work), Child.nanos(warmUp), Child.nanos(seconds));
  }

  @Override
  public int chunk() {
    return Math.max(1, CHUNK_BYTES / bytes.length);
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      try (ObjectInput in = streams.open(new ByteArrayInputStream(bytes))) {
        last = in.readObject();
      } catch (IOException | ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void check() {
    graph.check(Objects.requireNonNull(last));
    subject.check();
  }
}
