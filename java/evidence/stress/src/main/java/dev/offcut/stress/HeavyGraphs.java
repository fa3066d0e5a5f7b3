package dev.offcut.stress;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Forgotten handles that each reach 64 KiB to 1 MiB of heap: the net must not keep them alive to an
 * OutOfMemoryError where {@code java.lang.ref.Cleaner} does not.
 *
 * <p>Arguments: {@code handle}, {@code drop-in}, {@code drop-in-own} or {@code jdk}; how many;
 * seed; {@code watched}, if a thread is to look at the young handles all the time.
 */
@SuppressWarnings("UnusedVariable") // what a graph is for is to be reachable
public final class HeavyGraphs {
  private HeavyGraphs() {}

  private static final class Heavy extends Handle {
    static final HandleType TYPE = HandleType.named("heavy").releaser(Ledger::release).create();
    final byte[] graph;

    Heavy(byte[] graph) {
      this.graph = graph;
      open(Ledger::open);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  private record Action(long line) implements Runnable {
    @Override
    public void run() {
      Ledger.release(line);
    }
  }

  private static final class Kept {
    final byte[] graph;
    Object cleanable = this;

    Kept(byte[] graph) {
      this.graph = graph;
    }
  }

  /** Exits with 1 when a value was lost, 3 at an OutOfMemoryError. */
  public static void main(String[] args) {
    int count = Integer.parseInt(args[1]);
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
    Ledger.reset(count + 8_192);
    Consumer<byte[]> forget = forgetter(args[0]);
    if (args.length > 3 && args[3].equals("watched")) {
      Thread watcher = new Thread(HeavyGraphs::watch, "watcher");
      watcher.setDaemon(true);
      watcher.start();
    }
    try {
      for (int i = 0; i < count; i++) {
        forget.accept(new byte[random.nextInt(64 << 10, 1 << 20)]);
      }
    } catch (OutOfMemoryError e) {
      System.out.println("FAILED: " + e + " after " + Ledger.opened());
      System.exit(3);
    }
    System.exit(settled() ? 0 : 1);
  }

  /** Looks at the young handles all the time, and so in the middle of each collection. */
  private static void watch() {
    while (true) {
      Handles.snapshot();
    }
  }

  static boolean settled() {
    long patience = Duration.ofSeconds(60).toNanos();
    long since = System.nanoTime();
    while (Ledger.released() < Ledger.opened() && System.nanoTime() - since < patience) {
      long before = Ledger.released();
      Handles.drain(Duration.ofSeconds(5));
      since = Ledger.released() == before ? since : System.nanoTime();
    }
    String verdict = Ledger.verdict();
    System.out.println(
        Ledger.opened()
            + " values: "
            + (verdict.isEmpty() ? "exactly once" : "FAILED: " + verdict));
    return verdict.isEmpty();
  }

  private static Consumer<byte[]> forgetter(String how) {
    return switch (how) {
      case "handle" -> Heavy::new;
      case "drop-in" -> registrar(dev.offcut.handle.Cleaner.create());
      case "drop-in-own" -> registrar(dev.offcut.handle.Cleaner.create(Thread::new));
      case "jdk" -> {
        var cleaner = java.lang.ref.Cleaner.create();
        yield graph -> {
          Kept kept = new Kept(graph);
          kept.cleanable = cleaner.register(kept, new Action(Ledger.open()));
        };
      }
      default -> throw new IllegalArgumentException(how);
    };
  }

  private static Consumer<byte[]> registrar(dev.offcut.handle.Cleaner cleaner) {
    return graph -> {
      Kept kept = new Kept(graph);
      kept.cleanable = cleaner.register(kept, new Action(Ledger.open()));
    };
  }
}
