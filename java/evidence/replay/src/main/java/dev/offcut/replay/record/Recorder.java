package dev.offcut.replay.record;

import dev.offcut.replay.record.SizeEstimate.SizedClasses;
import dev.offcut.replay.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program with Flight Recorder and makes a trace of it. The program has this JVM's input,
 * output and error as its own; nothing is added to them. It runs without its class-data archive, so
 * that all its classes are in the memory that is recorded.
 */
public final class Recorder {
  /** What is added behind {@code java}. What the program's own options say otherwise holds. */
  private static List<String> options(Path recording, Path settings) {
    return List.of(
        "-Xshare:off",
        "-Xlog:jfr+startup=error", // the line that a recording began would go to its output
        "-XX:StartFlightRecording:filename="
            + recording
            + ",settings="
            + settings
            + ",dumponexit=true");
  }

  /**
   * A program that ended.
   *
   * @param trace null if it left none
   */
  public record Outcome(int exitCode, @Nullable Trace trace) {}

  private Recorder() {}

  /** Whether the command starts a JVM, so that it can be recorded. */
  public static boolean isJava(String command) {
    Path name = Path.of(command).getFileName();
    return name != null && (name.toString().equals("java") || name.toString().equals("java.exe"));
  }

  /**
   * Runs it to its end.
   *
   * @param command {@code java} and its arguments
   * @param classSpaceBytes of the trace
   */
  public static Outcome record(List<String> command, long classSpaceBytes) throws RecordException {
    Path folder = null;
    try {
      // By this name the command removes it if this process is killed.
      folder = Files.createTempDirectory("offcut-tmp-" + ProcessHandle.current().pid() + "-");
      Path settings = Files.writeString(folder.resolve("replay.jfc"), Settings.TEXT);
      Path recording = folder.resolve("replay.jfr");
      int exitCode = run(command, options(recording, settings));
      Trace trace = Files.exists(recording) ? trace(recording, classSpaceBytes) : null;
      return new Outcome(exitCode, trace);
    } catch (IOException e) {
      throw new RecordException("cannot record " + command.getFirst() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RecordException("interrupted while " + command.getFirst() + " ran", e);
    } finally {
      delete(folder);
    }
  }

  private static int run(List<String> command, List<String> options)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(command);
    all.addAll(1, options);
    return new ProcessBuilder(all).inheritIO().start().waitFor();
  }

  private static Trace trace(Path file, long classSpaceBytes) throws IOException {
    Recording recording = Recording.read(file);
    List<String> paths =
        List.of(recording.property("java.class.path"), recording.property("jdk.module.path"));
    try (ClassFiles files = new ClassFiles(recording.property("java.home"), paths)) {
      SizedClasses sizes = new SizedClasses(recording.events(), files);
      return new TraceBuilder(recording, sizes).build(name(recording), classSpaceBytes);
    }
  }

  /** The main class or the jar, without arguments and folders: a trace may be passed on. */
  private static String name(Recording recording) {
    String command = recording.property("sun.java.command").split(" ", 2)[0];
    String name = command.substring(command.lastIndexOf('/') + 1);
    return name.isEmpty() ? "java" : name;
  }

  private static void delete(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      // left to the system, as all in its folder for temporary files
    }
  }

  /** The Flight Recorder settings: class loading and nothing else. */
  static final class Settings {
    static final String CLASS_DEFINE = "jdk.ClassDefine";
    static final String CLASS_UNLOAD = "jdk.ClassUnload";
    static final String LOADER_STATISTICS = "jdk.ClassLoaderStatistics";
    static final String PROPERTY = "jdk.InitialSystemProperty";

    /** As a .jfc file. */
    static final String TEXT =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <configuration version="2.0" label="Offcut replay" provider="Offcut">
          <event name="jdk.ClassDefine">
            <setting name="enabled">true</setting>
            <setting name="stackTrace">false</setting>
          </event>
          <event name="jdk.ClassUnload">
            <setting name="enabled">true</setting>
          </event>
          <event name="jdk.ClassLoaderStatistics">
            <setting name="enabled">true</setting>
            <setting name="period">endChunk</setting>
          </event>
          <event name="jdk.InitialSystemProperty">
            <setting name="enabled">true</setting>
            <setting name="period">beginChunk</setting>
          </event>
        </configuration>
        """;

    private Settings() {}
  }

  /** A program could not be recorded. The message is the one line to show. */
  public static final class RecordException extends Exception {
    private static final long serialVersionUID = 1;

    RecordException(String message) {
      super(message);
    }

    RecordException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
