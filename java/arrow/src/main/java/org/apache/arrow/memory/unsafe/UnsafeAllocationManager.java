package org.apache.arrow.memory.unsafe;

import org.apache.arrow.memory.AllocationManager;

/** Where Arrow looks with {@code -Darrow.allocation.manager.type=Unsafe}. */
public final class UnsafeAllocationManager {
  /** The field that Arrow reads. */
  public static final AllocationManager.Factory FACTORY = DefaultAllocationManagerFactory.FACTORY;

  private UnsafeAllocationManager() {}
}
