package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.duckdb.FleetAdd;
import java.util.List;

/**
 * The cluster that this process was submitted to: a service, which is there only in the jar that
 * was submitted.
 */
public interface Cluster {
  /** An object store, by what the cluster knows of it. */
  Store store(S3Place place) throws Failure;

  /** Its engine. Closing it ends what this process has on the cluster. */
  Engine open() throws Failure;

  /**
   * Does what {@link FleetAdd#add} does, on the machines of the cluster. Paths are the same on all
   * of them.
   */
  FleetAdd.Done add(List<Source> sources, Fleet fleet, Labels labels, FleetAdd.Listener listener)
      throws Failure;
}
