package dev.offcut.bench.handle;

import dev.offcut.bench.handle.Subject.Closing;
import dev.offcut.bench.handle.Subject.PlainHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code open_close} by JMH, to check {@link OpenClose} against: wall time, no interleaving, and
 * JMH's own loop, which adds about a nanosecond to each row.
 *
 * <p>{@code java -cp offcut-bench.jar org.openjdk.jmh.Main OpenCloseJmh -t 1}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "-XX:CompileCommand=quiet",
      "-XX:CompileCommand=dontinline,dev.offcut.bench.handle.Sink::take"
    })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OpenCloseJmh {
  /** As in the rows. */
  @Param({"plain", "plain-cas", "offcut", "offcut-cleaner", "jdk-cleaner", "jna-cleaner"})
  public String impl = "";

  private Subject subject = PlainHandle::new;

  /** Loads the one implementation. */
  @Setup
  public void setUp() {
    subject = Subject.of(impl);
  }

  /** One handle. */
  @Benchmark
  public void openClose() {
    Closing handle = subject.open(1);
    Sink.take(handle);
    handle.close();
  }
}
