package dev.offcut.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The load that others put on the machine: tasks that run or wait for a CPU, and CPUs that a
 * hypervisor gave to other machines. The system's load average contains the run's own children; so
 * this class counts tasks at moments when no child runs, from {@code /proc/stat}.
 */
final class OthersLoad {
  private static final Path STAT = Path.of("/proc/stat");

  /** Samples of a machine before the run: so many, so far apart. */
  private static final int FIRST = 20;

  private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The collector or a compiler of this JVM may run for a moment: the least of three counts. */
  private static final int TRIES = 3;

  private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final int cpus;
  private final @Nullable Stat first;
  private final List<Stat> samples = new ArrayList<>();

  OthersLoad() {
    cpus = Runtime.getRuntime().availableProcessors();
    first = read();
  }

  /** Takes samples for a second; what they say. */
  double beforeTheRun() {
    for (int i = 0; i < FIRST && first != null; i++) {
      LockSupport.parkNanos(APART_NANOS);
      sample();
    }
    double load = load();
    samples.clear();
    return load;
  }

  /** To be called while no child runs. */
  void sample() {
    Stat least = null;
    for (int i = 0; i < TRIES; i++) {
      if (i > 0) {
        LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
      }
      Stat now = read();
      least = now == null || (least != null && least.running <= now.running) ? least : now;
    }
    if (least != null) {
      samples.add(least);
    }
  }

  /** The mean of the samples, and the stolen CPUs since the start; not a number if unknown. */
  double load() {
    return first == null || samples.isEmpty() ? Double.NaN : mean(cpus, first, samples);
  }

  /** One task of each sample is this thread. */
  static double mean(int cpus, Stat first, List<Stat> samples) {
    Stat last = samples.getLast();
    double all = last.all - first.all;
    double stolen = all == 0 ? 0 : cpus * (last.stolen - first.stolen) / all;
    return samples.stream().mapToLong(stat -> stat.running - 1).average().orElse(0) + stolen;
  }

  private static @Nullable Stat read() {
    try {
      return Stat.of(Files.readAllLines(STAT));
    } catch (IOException e) {
      return null; // no Linux
    }
  }

  /**
   * What {@code /proc/stat} says.
   *
   * @param running tasks that run or wait for a CPU
   * @param stolen ticks of all CPUs
   * @param all ticks, the stolen and the idle ones among them
   */
  record Stat(long running, double stolen, double all) {
    private static final int STEAL = 8;

    static Stat of(List<String> lines) {
      long running = 1;
      double stolen = 0;
      double all = 0;
      for (String line : lines) {
        String[] words = line.split(" +", -1);
        if (words[0].equals("procs_running")) {
          running = Long.parseLong(words[1]);
        } else if (words[0].equals("cpu")) {
          // Behind it are guests, which the user's ticks contain.
          all = Stream.of(words).skip(1).limit(STEAL).mapToDouble(Double::parseDouble).sum();
          stolen = Double.parseDouble(words[STEAL]);
        }
      }
      return new Stat(running, stolen, all);
    }
  }
}
