package org.apache.arrow.memory.unsafe;

import dev.offcut.arrow.OffcutAllocationManagerFactory;
import org.apache.arrow.memory.AllocationManager;

/**
 * Where Arrow looks if the program names no factory and sets no {@code
 * arrow.allocation.manager.type}.
 */
public final class DefaultAllocationManagerFactory {
  /** The field that Arrow reads. */
  public static final AllocationManager.Factory FACTORY =
      OffcutAllocationManagerFactory.onFirstUse();

  private DefaultAllocationManagerFactory() {}
}
