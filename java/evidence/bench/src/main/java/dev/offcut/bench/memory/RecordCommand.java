package dev.offcut.bench.memory;

import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bench record FILE PROGRAM ARG…}: notes what a program takes from malloc, in the form of
 * {@code spec/malloc-trace.md}.
 *
 * <p>Exit status 0: written; 1: it could not be; 2: misused.
 */
@Command(
    name = "record",
    description = "Records which blocks a program takes from malloc and frees, as a trace.",
    footer =
        "Needs a C compiler (cc) and glibc. The program must load glibc as a shared library. Only"
            + " its first process is recorded. The form of the file is in spec/malloc-trace.md.",
    sortOptions = false)
public final class RecordCommand implements Callable<Integer> {
  private static final String RECORDER = "record-malloc.c";
  private static final int LINE = 120;
  private static final int STEP_BYTES = 2 * Long.BYTES;

  @Parameters(index = "0", paramLabel = "FILE.txt.gz", description = "Where the trace goes.")
  private @Nullable Path file;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "PROGRAM ARG",
      description = "What to run, behind --.")
  private List<String> program = List.of();

  @Option(
      names = "--about",
      paramLabel = "TEXT",
      description = "What the program does: the first line of the trace (default: its name).")
  private @Nullable String about;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "67108864",
      description =
          "Records the first N blocks taken and freed (default: ${DEFAULT-VALUE}). Each needs 16"
              + " bytes of disk space while the program runs.")
  private long most;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  private final PrintStream out;
  private final PrintStream err;

  public RecordCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws InterruptedException {
    Path to = Objects.requireNonNull(file).toAbsolutePath();
    Path parent = to.getParent();
    if (parent == null || !Files.isDirectory(parent) || Files.isDirectory(to)) {
      err.println("bench record: " + to + " cannot be a file; name one in a folder that exists");
      return 2;
    }
    if (most < 1 || most > Integer.MAX_VALUE) {
      err.println("bench record: --steps must be 1 to " + Integer.MAX_VALUE + ", not " + most);
      return 2;
    }
    try {
      Path folder = Files.createTempDirectory("offcut-record");
      Path steps = folder.resolve("steps");
      Path trace = folder.resolve("trace");
      try {
        record(folder, steps);
        int blocks = write(steps, trace);
        Files.move(trace, to, StandardCopyOption.REPLACE_EXISTING);
        out.printf("%s: %,d blocks%n", file, blocks);
        return 0;
      } finally {
        for (String name : List.of(RECORDER, "record.so", "steps", "trace")) {
          Files.deleteIfExists(folder.resolve(name));
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      err.println("bench record: " + e.getMessage());
      return 1;
    }
  }

  /** Runs the program with the recorder, which fills the file of the steps. */
  private void record(Path folder, Path steps) throws IOException, InterruptedException {
    Path source = folder.resolve(RECORDER);
    Path library = folder.resolve("record.so");
    try (InputStream from = RecordCommand.class.getResourceAsStream(RECORDER)) {
      Files.copy(Objects.requireNonNull(from, "the recorder"), source);
    }
    List<String> cc = List.of("cc", "-O2", "-shared", "-fPIC", "-o", "" + library, "" + source);
    if (new ProcessBuilder(cc).inheritIO().start().waitFor() != 0) {
      throw new IOException("cc could not compile the recorder");
    }
    try (RandomAccessFile file = new RandomAccessFile(steps.toFile(), "rw")) {
      file.setLength((1 + most) * STEP_BYTES); // sparse: a page is there once it is written
    }
    ProcessBuilder run = new ProcessBuilder(program).inheritIO();
    run.environment().put("LD_PRELOAD", library.toString());
    run.environment().put("OFFCUT_RECORD", steps.toString());
    int status = run.start().waitFor();
    if (status != 0) {
      err.println("bench record: " + program.getFirst() + " ended with status " + status);
    }
  }

  private int write(Path steps, Path to) throws IOException {
    try (DataInputStream from =
            new DataInputStream(new BufferedInputStream(Files.newInputStream(steps)));
        Writer writer =
            new BufferedWriter(
                new OutputStreamWriter(
                    new GZIPOutputStream(Files.newOutputStream(to)), StandardCharsets.UTF_8))) {
      long made = next(from);
      next(from);
      if (made == 0) {
        throw new IOException("nothing was recorded; is " + program.getFirst() + " static?");
      }
      if (made > most) {
        err.printf(
            "bench record: %s took and freed %,d blocks; the trace has the first %,d (see --steps)%n",
            program.getFirst(), made, most);
      }
      writer.write("# " + (about == null ? program.getFirst() : about) + "\n");
      return convert(from, Math.min(made, most), new Words(writer));
    }
  }

  /** The recorder's steps as words; returns how many blocks were taken. */
  private static int convert(DataInputStream from, long steps, Words words) throws IOException {
    Map<Long, Integer> live = new HashMap<>();
    int taken = 0;
    for (long i = 0; i < steps; i++) {
      long address = next(from);
      long sizeAndEnd = next(from);
      if (address == 0) {
        continue; // a thread that the end of the program caught between the two
      }
      if ((sizeAndEnd & 1) == 0) {
        words.add(size(sizeAndEnd >> 1));
        live.put(address, taken++);
      } else {
        Integer block = live.remove(address);
        if (block != null) { // else it was taken before the recorder was there
          words.add(block - taken);
        }
      }
    }
    words.end();
    return taken;
  }

  private static int size(long bytes) throws IOException {
    if (bytes > Integer.MAX_VALUE) {
      throw new IOException(
          "the program takes a block of %,d bytes; a trace has none above %,d"
              .formatted(bytes, Integer.MAX_VALUE));
    }
    return Math.max(1, (int) bytes);
  }

  /** A number as the machine wrote it. */
  private static long next(DataInputStream from) throws IOException {
    return Long.reverseBytes(from.readLong());
  }

  /** Joins blocks of one size that are taken one after the other, and breaks lines. */
  private static final class Words {
    private final Writer to;
    private int step;
    private int times;
    private int column;

    Words(Writer to) {
      this.to = to;
    }

    void add(int next) throws IOException {
      if (times > 0 && next != step) {
        write();
      }
      step = next;
      times++;
    }

    void end() throws IOException {
      if (times > 0) {
        write();
      }
      to.write('\n');
    }

    private void write() throws IOException {
      String word = times == 1 ? "" + step : step + "x" + times;
      if (column > 0) {
        column = column + 1 + word.length() > LINE ? 0 : column + 1;
        to.write(column == 0 ? '\n' : ' ');
      }
      to.write(word);
      column += word.length();
      times = 0;
    }
  }
}
