package dev.offcut.agent.publish;

import dev.offcut.agent.Messages;
import dev.offcut.agent.Presence;
import dev.offcut.agent.base.concurrent.OwnBuffers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/** The recording that the agent starts, with the settings of {@code offcut.jfc}. */
public final class Recorder {
  private static final String SETTINGS = "/offcut.jfc";

  /** What the JDK calls the folder where chunks are written. */
  private static final String REPOSITORY = "jdk.jfr.repository";

  private static final String ENDING = ".jfr";

  private static boolean running;

  private Recorder() {}

  /** Whether there is a recorder in this JVM. */
  static boolean isThere() {
    return FlightRecorder.isInitialized();
  }

  /**
   * Starts one, which the JVM writes to a file when it ends, or that is only in its folder until
   * then; that folder, or in a sentence why there is none.
   */
  public static synchronized String start(@Nullable String file) {
    String folder = folder();
    if (running && folder != null) {
      return folder;
    }
    if (!Watch.canRecord()) {
      return "nothing is recorded: this JVM has no module jdk.jfr";
    }
    try {
      OwnBuffers.begin();
      try {
        begin(file);
      } finally {
        OwnBuffers.end();
      }
    } catch (IOException | InvalidPathException e) {
      return "the recording cannot be written to " + file + " (" + e + "); none is made";
    } catch (ParseException | ReflectiveOperationException | RuntimeException e) {
      return "the recording could not be started (" + e + ")";
    }
    folder = folder();
    Presence.recordsInto(folder);
    return folder == null ? "the folder of the recording is not known" : folder;
  }

  /** Whether one was started. */
  public static synchronized boolean isRunning() {
    return running;
  }

  private static @Nullable String folder() {
    return System.getProperty(REPOSITORY);
  }

  private static void begin(@Nullable String file)
      throws IOException, ParseException, ReflectiveOperationException {
    Recording made = new Recording(settings());
    try {
      made.setName("offcut");
      if (file != null) {
        made.setDestination(claim(file));
        made.setDumpOnExit(true);
      }
      Events.register();
      made.start();
      running = true;
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /**
   * Makes the file; as in names of Flight Recorder, {@code %p} is the PID. A program may start JVMs
   * that are given the same options: whichever comes later does not replace what another wrote, or
   * will write, and has its PID in the name.
   */
  static Path claim(String name) throws IOException {
    String pid = String.valueOf(Presence.pid());
    String file = name.replace("%p", pid);
    try {
      return Files.createFile(Path.of(file));
    } catch (FileAlreadyExistsException e) {
      String stem =
          file.endsWith(ENDING) ? file.substring(0, file.length() - ENDING.length()) : file;
      Path other = Files.createFile(Path.of(stem + "." + pid + ENDING));
      Messages.tell(file + " exists already; this JVM is recorded into " + other);
      return other;
    }
  }

  private static Configuration settings() throws IOException, ParseException {
    try (InputStream bytes = Recorder.class.getResourceAsStream(SETTINGS)) {
      if (bytes == null) {
        throw new IOException("no " + SETTINGS + " in the agent");
      }
      Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8);
      return Configuration.create(text);
    }
  }
}
