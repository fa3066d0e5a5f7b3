/**
 * A simulator of class loaders' memory under the allocators that HotSpot had and has.
 *
 * <p>Start at {@link dev.offcut.replay.Replay}.
 */
module dev.offcut.replay {
  requires dev.offcut.memory;
  requires info.picocli;
  requires static org.jspecify;

  exports dev.offcut.replay;
  exports dev.offcut.replay.space;

  opens dev.offcut.replay to
      info.picocli;
}
