/**
 * A simulator of class loaders' memory under the allocators that HotSpot had and has.
 *
 * <p>Start at {@link dev.offcut.replay.Replay}.
 */
module dev.offcut.replay {
  requires dev.offcut.memory;
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires static org.jspecify;

  exports dev.offcut.replay;
  exports dev.offcut.replay.space;
  exports dev.offcut.replay.trace;

  opens dev.offcut.replay to
      info.picocli;
}
