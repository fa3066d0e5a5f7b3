package dev.offcut.bench.longmap;

import com.sun.jna.Memory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** {@code jna_memory}: {@code new Memory(64)} and its close, as JNA is or as the agent made it. */
@State(Scope.Thread)
public class JnaMemory {
  @Param("jna-stock")
  public String impl = "";

  @Benchmark
  public long block() {
    Memory memory = new Memory(64);
    long bytes = memory.size();
    memory.close();
    return bytes;
  }
}
