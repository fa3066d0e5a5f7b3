package dev.offcut.fleet.duckdb;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import dev.offcut.fleet.Census;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.Labels;
import dev.offcut.fleet.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Puts sources into a fleet, as many at a time as there are cores. Each has files of its own, and
 * counts as soon as the last of them is there; so an end at any moment loses nothing, and the next
 * call goes on where the last one ended.
 */
public final class FleetAdd {
  /** Hears of what is done, from several threads. */
  public interface Listener {
    /** A source could not be read. */
    void skipped(String sentence);

    /** How far it is, as a sentence. */
    default void progress(String sentence) {}
  }

  /** How many sources were added, were there already, and could not be read. */
  public record Done(int added, int known, int skipped) {
    /** For people. */
    public String sentence(String fleet) {
      return "added "
          + Figures.count(added, "source")
          + " to "
          + fleet
          + (known == 0
              ? ""
              : "; " + Figures.count(known) + (known == 1 ? " was" : " were") + " there already")
          + (skipped == 0 ? "" : "; skipped " + Figures.count(skipped));
    }
  }

  private final AddStep step;
  private final Fleet fleet;
  private final Listener listener;
  private final List<Source> sources;

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger added = new AtomicInteger();
  private final AtomicInteger known = new AtomicInteger();
  private final AtomicInteger skipped = new AtomicInteger();

  /** What this call added: files of the same content may be given twice. */
  private final ConcurrentHashMap<String, Boolean> there = new ConcurrentHashMap<>();

  private FleetAdd(AddStep step, Fleet fleet, Listener listener, List<Source> sources) {
    this.step = step;
    this.fleet = fleet;
    this.listener = listener;
    this.sources = sources;
  }

  /** Adds all that is not there yet. Fails if the fleet cannot be written to. */
  public static Done add(List<Source> sources, Fleet fleet, Labels labels, Listener listener)
      throws Failure {
    Census census;
    try (DuckDbEngine engine = DuckDbEngine.open()) {
      census = Census.with(fleet, engine, known -> known);
    }
    FleetAdd add = new FleetAdd(AddStep.of(census, fleet, labels), fleet, listener, sources);
    add.onAllCores();
    return new Done(add.added.get(), add.known.get(), add.skipped.get());
  }

  /** Each core has a writer. Ends at the first failure. */
  private void onAllCores() throws Failure {
    int threads = Math.min(sources.size(), Runtime.getRuntime().availableProcessors());
    try (ExecutorService executor = Executors.newFixedThreadPool(Math.max(1, threads))) {
      List<Future<@Nullable Void>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(this::work));
      }
      for (Future<@Nullable Void> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Failure failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.other("interrupted; the same command goes on from here");
    }
  }

  private @Nullable Void work() throws Failure {
    try (DuckDbWriter writer = DuckDbWriter.open()) {
      for (int i = next.getAndIncrement(); i < sources.size(); i = next.getAndIncrement()) {
        try {
          add(sources.get(i), writer);
        } catch (Failure e) {
          next.set(sources.size()); // the others would fail likewise
          throw e;
        }
      }
    }
    return null;
  }

  /** How many sources have been looked at, for people. */
  public static String progress(int sources, int of) {
    return Figures.count(sources) + " of " + Figures.count(of, "source");
  }

  private void add(Source source, DuckDbWriter writer) throws Failure {
    AddStep.Outcome outcome = step.add(source, writer, fleet);
    switch (outcome.what()) {
      case ADDED ->
          (there.putIfAbsent(outcome.hash(), true) == null ? added : known).incrementAndGet();
      case KNOWN -> known.incrementAndGet();
      case SKIPPED, FAILED -> {
        listener.skipped(outcome.sentence());
        skipped.incrementAndGet();
      }
    }
    listener.progress(progress(added.get() + known.get() + skipped.get(), sources.size()));
  }
}
