package dev.offcut.command.read;

import dev.offcut.command.read.Sources.Reading;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;

/** What recordings of one program say: a file, or a directory of them as a JVM has one. */
public final class Recordings {
  private static final String SUFFIX = ".jfr";

  private final DigestBuilder builder;
  private boolean complete = true;
  private long pid = -1;

  /** Whether there are several programs. */
  private boolean mixed;

  private Recordings(DigestBuilder builder) {
    this.builder = builder;
  }

  /** Reads those of one program, whatever their order; returns whether none was cut off. */
  static boolean read(List<Path> files, DigestBuilder to) throws Failure {
    Recordings recordings = new Recordings(to);
    for (Path file : files) {
      recordings.read(file);
    }
    return recordings.complete;
  }

  static Reading ofFile(Path file, Outside outside) throws Failure {
    Recordings recordings = new Recordings(new DigestBuilder());
    outside.tell(recordings.builder);
    recordings.read(file);
    if (!recordings.complete) {
      recordings.builder.note("The recording was cut off: this is the part that could be read.");
    }
    return recordings.reading(file, false);
  }

  /** {@code running}: whether their program still writes to them. */
  static Reading ofDirectory(Path directory, boolean running, Outside outside) throws Failure {
    Recordings recordings = new Recordings(new DigestBuilder());
    outside.tell(recordings.builder);
    List<Path> files = files(directory);
    if (files.isEmpty()) {
      throw Failure.unreadable("no recording (*" + SUFFIX + ") lies in " + directory);
    }
    int readable = 0;
    Failure last = null;
    for (Path file : files) {
      try {
        recordings.read(file);
        readable++;
      } catch (Failure e) {
        if (recordings.mixed) {
          throw e;
        }
        recordings.complete = false; // the one that was being begun
        last = e;
      }
    }
    if (readable == 0 && last != null) {
      throw last;
    }
    if (running) {
      recordings.builder.note("The program still runs: the report is up to a second old.");
    } else if (!recordings.complete) {
      recordings.builder.note("The program was killed: the report ends with its last full second.");
    }
    return recordings.reading(directory, running);
  }

  private static List<Path> files(Path directory) throws Failure {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    } catch (IOException e) {
      throw cannotRead(directory, e);
    }
  }

  private void read(Path file) throws Failure {
    try (Salvage salvage = Salvage.of(file);
        RecordingFile events = new RecordingFile(salvage.file())) {
      complete &= salvage.isComplete();
      while (events.hasMoreEvents()) {
        builder.take(events.readEvent());
      }
    } catch (IOException e) {
      throw cannotRead(file, e);
    } catch (RuntimeException | VirtualMachineError e) {
      throw damaged(file.toString(), e);
    }
    Versions.check(file, builder.agentVersion());
    if (pid >= 0 && pid != builder.pid()) {
      mixed = true;
      throw Failure.other(
          "there are recordings of several programs in "
              + file.getParent()
              + ", among them of the processes "
              + pid
              + " and "
              + builder.pid()
              + "; give one of the files");
    }
    pid = builder.pid();
  }

  private Reading reading(Path source, boolean running) throws Failure {
    try {
      return new Reading(builder.digest(complete && !running), !complete && !running);
    } catch (RuntimeException | VirtualMachineError e) {
      throw damaged(source.toString(), e); // with times and figures that nothing can have
    }
  }

  /** Flight Recorder's reader trusts what it reads, and throws what comes of it. */
  static Failure damaged(String source, Throwable e) {
    String reason =
        e instanceof OutOfMemoryError
            ? "it is damaged, or too large for the memory of this command;"
                + " JAVA_TOOL_OPTIONS=-Xmx8g gives it more"
            : "it is damaged, or has unknown events (" + e + ")";
    return Failure.unreadable("cannot read " + source + ": " + reason);
  }

  static Failure cannotRead(Path file, IOException e) {
    String reason =
        switch (e) {
          case NoSuchFileException missing -> "there is no such file";
          case AccessDeniedException denied -> "permission denied";
          default -> String.valueOf(e.getMessage());
        };
    return Failure.unreadable("cannot read " + file + ": " + reason);
  }

  /**
   * The recording of a program that was killed, out of the directory that its Flight Recorder wrote
   * to: a recording is nothing but chunks in a row. The first says that the end is missing.
   */
  public static final class Joined {
    private Joined() {}

    /** Writes it; returns whether there was anything to be had. */
    public static boolean write(Path repository, Path recording) throws IOException {
      List<Path> files;
      try (Stream<Path> all = Files.list(repository)) {
        files = all.filter(file -> file.toString().endsWith(".jfr")).sorted().toList();
      }
      boolean any = false;
      try (OutputStream out = Files.newOutputStream(recording)) {
        for (Path file : files) {
          any |= append(file, out);
        }
      }
      if (any) {
        try (FileChannel channel = FileChannel.open(recording, StandardOpenOption.WRITE)) {
          channel.write(ByteBuffer.wrap(new byte[] {1}), Chunk.CUT_AT);
        }
      } else {
        Files.delete(recording);
      }
      return any;
    }

    /** Whether a recording is whole, so that there is nothing to be had beside it. */
    public static boolean isWhole(Path recording) throws IOException {
      try (Salvage salvage = Salvage.of(recording)) {
        return salvage.isComplete();
      } catch (Failure e) {
        return false;
      }
    }

    private static boolean append(Path file, OutputStream out) throws IOException {
      try (Salvage salvage = Salvage.of(file)) {
        Files.copy(salvage.file(), out);
        return true;
      } catch (Failure e) {
        return false; // the one that was being begun
      }
    }
  }
}
