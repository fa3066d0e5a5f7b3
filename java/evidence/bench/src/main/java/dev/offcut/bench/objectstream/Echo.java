package dev.offcut.bench.objectstream;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What is called over RMI. */
public interface Echo extends Remote {
  /** The same graph again. */
  Object echo(Object graph) throws RemoteException;
}
