package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/**
 * Ties a resource to the safety net for an owner that is no {@link Handle}: for a buffer that has
 * to extend a class of a framework, and that counts its references itself. A tether costs half of a
 * handle, because nothing is made for each resource, and nothing decides between two closes.
 *
 * <pre>{@code
 * final class Buffer extends FrameworkBuffer {
 *   private final long address = Native.allocate(1000);
 *   private Tether tether = TYPE.tether(address);   // free the memory if this throws
 *
 *   protected void lastReferenceIsGone() {
 *     Tether ended = tether;
 *     tether = null;
 *     ended.end();
 *     Native.free(address);
 *   }
 * }
 * }</pre>
 *
 * <p><b>Ownership.</b> The owner keeps the tether in a field, releases the resource itself, and
 * calls {@link #end} before. If the tether becomes unreachable before that, its owner was
 * <i>forgotten</i>: the net releases the resource with the type's releaser, once, some time later,
 * and counts it.
 *
 * <p><b>After the end</b> the same object may tie another resource for another owner. So the owner
 * drops the tether when it ends it, and ends it once. A second end is found if the tether is not in
 * use again by then, as with a block of memory that is freed twice. If an ended owner still refers
 * to a tether, the net cannot find the next owner forgotten.
 *
 * <p><b>Threads.</b> Any thread may end a tether, if the owner was published safely. The owner
 * decides which thread calls {@link #end}: this class does not. Two threads that call it at the
 * same time for one resource damage the bookkeeping of the type.
 */
public final class Tether {
  /**
   * Where the net sees it. Volatile, though it is written once. A read of it is an active use of
   * this object, which no compiler leaves out or moves: {@code Tethers} reads it after the last
   * store of a change, so that this object is reachable until the store is done. A {@code
   * reachabilityFence} is not always honoured up to JDK 25 (JDK-8290892), and is a call, which may
   * end the stack.
   */
  volatile Tethers.Rack rack;

  final int index;

  Tether(Tethers.Rack rack, int index) {
    this.rack = rack;
    this.index = index;
  }

  /** What tells the net that this object is unreachable; null once it did. */
  @Nullable Forgotten alarm() {
    Tethers.Rack of = rack;
    return of.tethers.alarm(of, index);
  }

  /**
   * Ends the tether: the resource is the caller's to release. Call it before the release, and drop
   * the tether. In a full heap it needs no memory. If it throws, nothing has changed, and the
   * resource is still tied to the net.
   *
   * @throws IllegalStateException if the tether has ended before, and is not in use again
   */
  public void end() {
    Tethers.Rack of = rack;
    of.tethers.end(this, of, index);
  }

  /**
   * Ties another resource from now on, in place of the one before, which is the caller's to
   * release. It allocates nothing. If it throws, nothing has changed.
   *
   * @param raw the raw value of the other resource
   * @throws IllegalStateException if the tether has ended
   * @throws IllegalArgumentException if the raw value is {@code 0x9E3779B97F4A7C15}, which is
   *     reserved
   */
  public void move(long raw) {
    Tethers.Rack of = rack;
    of.tethers.move(this, of, index, raw);
  }
}
