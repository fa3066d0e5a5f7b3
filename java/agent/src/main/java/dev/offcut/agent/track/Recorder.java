package dev.offcut.agent.track;

import dev.offcut.agent.Presence;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/** The recording that the agent starts, with the settings of {@code offcut.jfc}. */
final class Recorder {
  private static final String SETTINGS = "/offcut.jfc";

  /** What the JDK calls the folder where chunks are written. */
  private static final String REPOSITORY = "jdk.jfr.repository";

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
  static synchronized String start(@Nullable String file) {
    String folder = folder();
    if (running && folder != null) {
      return folder;
    }
    if (!Watch.canRecord()) {
      return "nothing is recorded: this JVM has no module jdk.jfr";
    }
    try {
      begin(file);
    } catch (IOException | InvalidPathException e) {
      return "the recording cannot be written to " + file + " (" + e + "); none is made";
    } catch (ParseException | ReflectiveOperationException | RuntimeException e) {
      return "the recording could not be started (" + e + ")";
    }
    folder = folder();
    Presence.recordsInto(folder);
    return folder == null ? "it is recorded, nobody knows where" : folder;
  }

  /** Whether one was started. */
  static synchronized boolean isRunning() {
    return running;
  }

  private static @Nullable String folder() {
    return System.getProperty(REPOSITORY);
  }

  private static void begin(@Nullable String file)
      throws IOException, ParseException, ReflectiveOperationException {
    Recording recording = new Recording(settings());
    try {
      recording.setName("offcut");
      if (file != null) {
        recording.setDestination(Path.of(file));
        recording.setDumpOnExit(true);
      }
      Events.register();
      recording.start();
      running = true;
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      recording.close();
      throw e;
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
