package dev.offcut.command.read;

import dev.offcut.command.read.Sources.Reading;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;

/** What recordings of one program say. */
public final class Recordings {
  private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

  /** The only major version that this can read. */
  private static final int MAJOR = 2;

  /** Bytes of a chunk's header, and where it has the chunk's size, and whether it was ended. */
  private static final int HEADER = 68;

  private static final int SIZE_AT = 8;
  private static final int STATE_AT = 64;

  private static final String LEFT =
      "; the tables that the agent of the program left can be read, and `offcut ps` lists them";

  private final DigestBuilder builder;
  private long pid = -1;

  private Recordings(DigestBuilder builder) {
    this.builder = builder;
  }

  static void read(List<Path> files, DigestBuilder to) throws Failure {
    Recordings recordings = new Recordings(to);
    for (Path file : files) {
      recordings.read(file);
    }
  }

  static Reading ofFile(Path file, Outside outside) throws Failure {
    Recordings recordings = new Recordings(new DigestBuilder());
    outside.tell(recordings.builder);
    recordings.read(file);
    try {
      return new Reading(recordings.builder.digest(true), false);
    } catch (RuntimeException | VirtualMachineError e) {
      throw damaged(file.toString(), e); // with times and figures that nothing can have
    }
  }

  /** Refuses what is no recording, or not whole: its reader would say less of it. */
  static void check(Path file) throws Failure {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      long size = bytes.length();
      if (size == 0) {
        throw Failure.unreadable(
            file + " is empty: its program has not ended, or was killed" + LEFT);
      }
      for (long at = 0; at < size; ) {
        bytes.seek(at);
        if (size - at < Integer.BYTES || bytes.readInt() != MAGIC) {
          if (at > 0) {
            throw cutOff(file);
          }
          throw Failure.unreadable(
              file
                  + " is no recording of Flight Recorder, nor the file of a run (*.offcut); SRC is a"
                  + " PID or one of these");
        }
        int major = bytes.readUnsignedShort();
        if (major > MAJOR) {
          throw Failure.unreadable(
              "%s is in version %s of Flight Recorder's format, this reads %s; get a newer offcut"
                  .formatted(file, major, MAJOR));
        }
        if (size - at < HEADER) {
          throw cutOff(file);
        }
        bytes.seek(at + SIZE_AT);
        long chunk = bytes.readLong();
        bytes.seek(at + STATE_AT);
        boolean isEnded = bytes.readByte() == 0;
        if (!isEnded || chunk < HEADER || chunk > size - at) {
          throw cutOff(file);
        }
        at += chunk;
      }
    } catch (IOException e) {
      throw cannotRead(file, e);
    }
  }

  private static Failure cutOff(Path file) {
    return Failure.unreadable(
        file + " is not whole: its program was killed, or its disk was full" + LEFT);
  }

  private void read(Path file) throws Failure {
    check(file);
    try (RecordingFile events = new RecordingFile(file)) {
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
      throw Failure.other(
          """
          there are recordings of several programs in %s, among them of the processes %s and %s; \
          give one of the files"""
              .formatted(file.getParent(), pid, builder.pid()));
    }
    pid = builder.pid();
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
}
