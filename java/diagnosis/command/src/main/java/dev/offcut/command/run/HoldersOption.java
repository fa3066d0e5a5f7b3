package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.HeapDump;
import dev.offcut.command.read.Holders;
import dev.offcut.resident.Part;
import java.io.PrintStream;
import picocli.CommandLine.Option;

/** Options for who asks what holds open resources. */
final class HoldersOption {
  @Option(
      names = "--holders",
      description =
          "Also say what holds open resources: the path from a thread or a static field. It needs a"
              + " heap dump, which stops the program or delays its end. The command first says for how"
              + " long.")
  private boolean asked;

  @Option(
      names = "--longest-stop",
      paramLabel = "SECONDS",
      description =
          "For --holders: the longest time that a heap dump may stop the program. If it may take"
              + " longer, no dump is made (default: ${DEFAULT-VALUE}).")
  private double longest = 10;

  boolean isAsked() {
    return asked;
  }

  /** Seconds that the end of a program may wait for a heap dump; negative: nobody asked. */
  double longestAtEnd() {
    return asked ? Math.max(0, longest) : -1;
  }

  /** Of a JVM that runs. {@code digest}: what is known of it, for the size of its heap. */
  Holders of(long pid, Digest digest, PrintStream err) throws Failure {
    return HeapDump.holders(pid, used(digest), longest, err::println);
  }

  private static long used(Digest digest) throws Failure {
    long used = digest.memory().part(Part.HEAP_USED.title());
    if (used == 0) {
      throw Failure.other(
          "the size of the Java heap is not known, so --holders cannot say what a heap dump costs;"
              + " it needs Linux and a JVM that answers");
    }
    return used;
  }
}
