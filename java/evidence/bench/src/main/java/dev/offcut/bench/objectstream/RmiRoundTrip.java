package dev.offcut.bench.objectstream;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.rmi.RemoteException;
import java.util.List;

/**
 * {@code rmi_roundtrip}: sends the graph of {@code nest5_100} through RMI and gets it back; both
 * ends write it and read it once. The CPU time is that of the calling and of the serving thread.
 *
 * <p>Arguments: implementation, CPU seconds of warm-up, seconds of measurement.
 */
public final class RmiRoundTrip implements Workers.Work {
  /** Calls between two looks at the clock. */
  private static final int CHUNK = 8;

  private final Subject subject;
  private final Graph shape = Graph.named("nest5_100");
  private final EchoServer server;
  private final Echo stub;
  private Object graph;

  private RmiRoundTrip(Subject subject, EchoServer server)
      throws ReflectiveOperationException, RemoteException {
    this.subject = subject;
    this.server = server;
    this.stub = server.export();
    this.graph = shape.create();
  }

  public static void main(String[] args) throws Exception {
    try (EchoServer server = new EchoServer()) {
      RmiRoundTrip work = new RmiRoundTrip(Subject.named(args[0]), server);
      Workers.run(List.of(work), Child.nanos(args[1]), Child.nanos(args[2])).reportMicros();
    }
  }

  @Override
  public int chunk() {
    return CHUNK;
  }

  @Override
  public void times(int operations) {
    try {
      for (int i = 0; i < operations; i++) {
        graph = stub.echo(graph);
      }
    } catch (RemoteException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public long helperThread() {
    return server.thread();
  }

  @Override
  public void check() {
    shape.check(graph);
    subject.check();
    if (!server.isServedByOne()) {
      throw new AssertionError("more than one thread served the calls");
    }
  }
}
