package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.Jvm;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.Sources;
import dev.offcut.command.read.Sources.Reading;
import dev.offcut.resident.Jcmd;
import dev.offcut.resident.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * Lets a JVM that runs collect garbage before its counts are read: which open resources nobody can
 * close any more is known only then. The collection stops the program, so the user is told for how
 * long, and agrees.
 */
final class CollectOption {
  /** A slow pace: a heap of small objects, and cores that others use, too. */
  private static final double BYTES_A_SECOND = 256 << 20;

  private static final double LEAST_SECONDS = 0.1;

  /** After so many seconds the command gives up. The JVM goes on. */
  private static final double LEAST_PATIENCE = 60;

  private static final int SLOWER = 10;

  /** What frees resources after a collection takes a while: the counts are read so often. */
  private static final int MOST_LOOKS = 4;

  @Option(
      names = "--collect",
      description =
          "First let the JVM collect garbage, which tells the open resources that are lost from"
              + " those that are in use. A collection stops the program; the command says for how"
              + " long, and asks.")
  private boolean asked;

  @Option(
      names = {"-y", "--yes"},
      description = "For --collect: do not ask.")
  private boolean agreed;

  boolean isAsked() {
    return asked;
  }

  /** What is known of a JVM with the agent after a collection. */
  Reading read(long pid, PrintStream err) throws Failure {
    Jvm.withAgent(pid); // opens its socket, too
    Sources.Published published = new Sources.Published(pid);
    Digest before = published.readNow();
    long heap = heap(before);
    agree(sentence(pid, heap), err);
    double seconds = collect(pid, heap);
    Digest after = published.readNow();
    for (int look = 1; look < MOST_LOOKS && !ended(after).equals(ended(before)); look++) {
      before = after;
      after = published.readNow();
    }
    Reading reading = Sources.look(String.valueOf(pid));
    Digest digest = reading.digest();
    String note =
        digest.gaps().unproven().isEmpty()
            ? "The JVM collected garbage just before these counts, in less than "
                + Figures.seconds(seconds)
                + ". What is open was reachable then, or was opened since."
            : "The JVM was asked to collect garbage, but the agent has not seen a collection.";
    return new Reading(digest.withNotes(List.of(note)), reading.cutOff());
  }

  /** How long a collection may stop the program, where that is known. */
  static String expected(Digest digest) {
    return Figures.seconds(seconds(heap(digest)));
  }

  private static double seconds(long heap) {
    return Math.max(LEAST_SECONDS, heap / BYTES_A_SECOND);
  }

  private static long heap(Digest digest) {
    return digest.memory().part(Part.HEAP_USED.title());
  }

  private static String sentence(long pid, long heap) {
    String used = heap == 0 ? "" : ", since " + Figures.bytes(heap) + " of its Java heap are used";
    return """
        offcut: a garbage collection may stop the JVM %s for %s%s; longer if the machine is busy, \
        shorter with ZGC and Shenandoah"""
        .formatted(pid, Figures.seconds(seconds(heap)), used);
  }

  private void agree(String what, PrintStream err) throws Failure {
    err.println(what);
    if (agreed) {
      return;
    }
    if (!Terminal.hasKeys()) {
      throw Failure.other("nothing was collected, since nobody can be asked; --yes agrees to it");
    }
    err.print("offcut: collect? [y/N] ");
    err.flush();
    try {
      // Not closed: it is the command's stdin.
      String line =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
      if (line == null || !line.strip().equalsIgnoreCase("y")) {
        throw Failure.other("nothing was collected");
      }
    } catch (IOException e) {
      throw Failure.other("nothing was collected: " + e.getMessage());
    }
  }

  /** How long it took, in seconds. */
  private static double collect(long pid, long heap) throws Failure {
    Duration patience =
        Duration.ofMillis(Math.round(1000 * Math.max(LEAST_PATIENCE, SLOWER * seconds(heap))));
    long began = System.nanoTime();
    String answer = Jcmd.ask(pid, "GC.run", patience);
    double seconds = (System.nanoTime() - began) / 1e9;
    if (answer == null) {
      throw Failure.other(
          "the JVM %s did not say within %s s that it collected"
              .formatted(pid, patience.toSeconds()));
    }
    Jcmd.ask(pid, "GC.run_finalization", patience);
    return Math.max(LEAST_SECONDS, seconds);
  }

  /** How many of all kinds the collector has found. */
  private static List<Long> ended(Digest digest) {
    return digest.kinds().stream().map(kind -> kind.collected() + kind.lost()).toList();
  }

  /** The words for a report without a collection, by which there is more to know. */
  static List<String> offer(long pid, Digest digest) {
    boolean isOpen =
        digest.kinds().stream()
            .anyMatch(kind -> kind.open() > 0 && !Kinds.isEstimated(kind.kind()));
    return isOpen && !digest.gaps().unproven().isEmpty()
        ? List.of(
            """
            `offcut report %s --collect` also tells which open resources are lost. It collects \
            garbage, which may stop the program for %s."""
                .formatted(pid, expected(digest)))
        : List.of();
  }
}
