/**
 * The memory of class loaders replayed under the designs there were and are.
 *
 * <p>{@link dev.offcut.replay.Replay} is where to start reading.
 */
module dev.offcut.replay {
  requires dev.offcut.memory;
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.offcut.replay;
  exports dev.offcut.replay.space;
  exports dev.offcut.replay.trace;

  opens dev.offcut.replay to
      info.picocli;
}
