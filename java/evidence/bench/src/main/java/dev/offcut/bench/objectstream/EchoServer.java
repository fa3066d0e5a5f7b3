package dev.offcut.bench.objectstream;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;

/** The other end of the round trips, in the same JVM, on the loopback interface. */
final class EchoServer implements Echo, AutoCloseable {
  private volatile long thread;
  private volatile boolean moved;

  /** Begins to serve; its stub. */
  Echo export() throws RemoteException {
    return (Echo)
        UnicastRemoteObject.exportObject(
            this,
            0,
            RMISocketFactory.getDefaultSocketFactory(),
            port -> new ServerSocket(port, 0, InetAddress.getLoopbackAddress()));
  }

  @Override
  @SuppressWarnings("deprecation") // Java 17 has no threadId()
  public Object echo(Object graph) {
    long own = Thread.currentThread().getId();
    moved |= thread != own && thread != 0;
    thread = own;
    return graph;
  }

  /** The thread that served the last call. */
  long thread() {
    return thread;
  }

  /** Whether one thread served all calls: only then is its time that of the round trips. */
  boolean isServedByOne() {
    return thread != 0 && !moved;
  }

  @Override
  public void close() throws NoSuchObjectException {
    UnicastRemoteObject.unexportObject(this, true);
  }
}
