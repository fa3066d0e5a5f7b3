package dev.offcut.agent.track;

import dev.offcut.agent.Messages;
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

/** The recording that the agent starts, with the settings of {@code offcut.jfc}. */
final class Recorder {
  private static final String SETTINGS = "/offcut.jfc";

  /** What the JDK calls the folder where chunks are written. */
  private static final String REPOSITORY = "jdk.jfr.repository";

  private Recorder() {}

  /** Whether there is a recorder in this JVM. */
  static boolean isThere() {
    return FlightRecorder.isInitialized();
  }

  /** Starts one, which the JVM writes to a file when it ends. */
  static void start(String file) {
    if (!Watch.canRecord()) {
      Messages.say("nothing is recorded: this JVM has no module jdk.jfr");
      return;
    }
    try {
      begin(file);
    } catch (IOException | InvalidPathException e) {
      Messages.say("the recording cannot be written to " + file + " (" + e + "); none is made");
    } catch (ParseException | ReflectiveOperationException | RuntimeException e) {
      Messages.say("the recording could not be started (" + e + ")");
    }
  }

  private static void begin(String file)
      throws IOException, ParseException, ReflectiveOperationException {
    Recording recording = new Recording(settings());
    try {
      recording.setName("offcut");
      recording.setDestination(Path.of(file));
      recording.setDumpOnExit(true);
      Events.register();
      recording.start();
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      recording.close();
      throw e;
    }
    Presence.recordsInto(System.getProperty(REPOSITORY));
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
