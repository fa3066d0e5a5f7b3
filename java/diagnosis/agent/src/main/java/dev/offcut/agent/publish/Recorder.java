package dev.offcut.agent.publish;

import dev.offcut.agent.Presence;
import dev.offcut.agent.base.concurrent.OwnBuffers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/** The recording that the agent starts, with the settings of {@code offcut.jfc}. */
public final class Recorder {
  private static final String SETTINGS = "/offcut.jfc";

  /** What the JDK calls the folder where chunks are written. */
  private static final String REPOSITORY = "jdk.jfr.repository";

  /** The JDK's periodic events; ours are told at the end of a chunk, whatever their period. */
  private static final String OF_THE_JDK = "jdk.";

  private static final String PERIOD = "#period";
  private static final String SECONDS = " s";

  private static boolean running;
  private static @Nullable Recording recording;
  private static long began;

  /** Of the JDK's events, those that are told at the ends of chunks only, and their periods. */
  private static final Map<String, String> WAITING = new HashMap<>();

  private Recorder() {}

  /** Whether there is a recorder in this JVM. */
  static boolean isThere() {
    return FlightRecorder.isInitialized();
  }

  /**
   * Starts one, which the JVM writes to a file when it ends, or that is only in its folder until
   * then; that folder, or in a sentence why there is none.
   */
  public static synchronized String start(@Nullable String file, boolean overwrite) {
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
        begin(file, overwrite);
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

  private static void begin(@Nullable String file, boolean overwrite)
      throws IOException, ParseException, ReflectiveOperationException {
    Recording made = new Recording(untilPeriods(settings().getSettings()));
    try {
      made.setName("offcut");
      if (file != null) {
        made.setDestination(Destination.claim(file, overwrite));
        made.setDumpOnExit(true);
      }
      Events.register();
      made.start();
      running = true;
      recording = made;
      began = System.nanoTime();
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /**
   * A program may end before the period of an event is over. So those of the JDK's are told at the
   * beginning and the end of a chunk first, which a period would replace.
   */
  private static Map<String, String> untilPeriods(Map<String, String> settings) {
    Map<String, String> first = new HashMap<>(settings);
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      if (setting.getKey().startsWith(OF_THE_JDK)
          && setting.getKey().endsWith(PERIOD)
          && setting.getValue().endsWith(SECONDS)) {
        first.put(setting.getKey(), "everyChunk");
        WAITING.put(setting.getKey(), setting.getValue());
      }
    }
    return first;
  }

  /** Events of which a period is over have it from now on. */
  static synchronized void look() {
    if (recording == null || recording.getState() != RecordingState.RUNNING) {
      return;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
    Iterator<Map.Entry<String, String>> waiting = WAITING.entrySet().iterator();
    while (waiting.hasNext()) {
      Map.Entry<String, String> one = waiting.next();
      String period = one.getValue();
      if (Long.parseLong(period.substring(0, period.length() - SECONDS.length())) <= seconds) {
        String event = one.getKey().substring(0, one.getKey().length() - PERIOD.length());
        waiting.remove();
        try {
          recording.enable(event).with("period", period);
        } catch (IllegalStateException e) {
          return; // it was just stopped
        }
      }
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
