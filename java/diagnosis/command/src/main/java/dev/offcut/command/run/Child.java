package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import dev.offcut.resident.GoProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A program that was started: signals that we get are its, and its exit code is ours. */
final class Child {
  /** What a wrapper ends with that could not do its own work. */
  static final int WRAPPER_FAILED = 125;

  private static final int CANNOT_RUN = 126;

  private static final int NOT_FOUND = 127;

  /** And the signal's number, as of a shell. */
  private static final int SIGNALLED = 128;

  /** The numbers of the system's errors stand in the text, and nowhere else. */
  private static final Pattern ERROR = Pattern.compile("error(?:=|: )(\\d+)");

  private final Process process;

  private Child(Process process) {
    this.process = process;
  }

  static Child start(ProcessBuilder builder) throws Failure {
    String program = builder.command().getFirst();
    try {
      return new Child(builder.start());
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      Matcher error = ERROR.matcher(reason);
      switch (error.find() ? error.group(1) : "") {
        case "2" ->
            throw Failure.of(NOT_FOUND, "there is no program " + program + "; is it on the PATH?");
        case "8", "13" ->
            throw Failure.of(
                CANNOT_RUN, program + " cannot be run; is it a program, and executable?");
        default -> throw Failure.of(WRAPPER_FAILED, "cannot start " + program + ": " + reason);
      }
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Passes a signal on, by its name without SIG. When the child has ended it is meant for us, who
   * only have the report left to write; and its PID may be another's.
   */
  void signal(String name, int number) {
    if (!isAlive() || (!kill(name) && hasJustEnded())) {
      System.exit(SIGNALLED + number);
    }
  }

  /** False if it was not delivered. */
  private boolean kill(String name) {
    try {
      return new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
              .inheritIO()
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      process.destroy(); // no such tool: then at least it ends
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** The system knows it a moment before the JDK does. */
  private boolean hasJustEnded() {
    try {
      return process.waitFor(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits until it has ended; 128 and the signal's number if that ended it. */
  int await() {
    while (true) {
      try {
        return process.waitFor();
      } catch (InterruptedException e) {
        process.destroy();
      }
    }
  }

  /**
   * A command that starts a JVM, with the agent added: behind {@code java} if that is what it
   * begins with, else in a variable that every JVM reads, whatever script starts it.
   *
   * <p><b>By which option.</b> {@code -javaagent} adds the module java.instrument to the modules of
   * the program, so that the JVM makes the graph of its modules anew, which costs some 45 ms of CPU
   * on JDK 25. {@code -agentlib:instrument} loads the same agent by the same library, and leaves
   * the modules alone. It is taken where that module is there anyway: a program on the class path
   * has all modules of its runtime. Whatever may choose the modules makes it {@code -javaagent}.
   */
  static final class Command {
    private static final String VARIABLE = "JAVA_TOOL_OPTIONS";

    /** What Offcut's Go packages read: the folder of the run, and the level of handles. */
    private static final String GO_FOLDER = "OFFCUT_RUN";

    private static final String GO_LEVEL = "OFFCUT_HANDLE_DETECTION";

    /**
     * Opens the socket on which the JVM is asked where its memory is. To attach for that costs the
     * command 30 ms of CPU, most of it to find out whether the process is a JVM.
     */
    private static final String SOCKET = "-XX:+StartAttachListener";

    /** Where the JVM or its launcher finds more options. */
    private static final List<String> VARIABLES =
        List.of(VARIABLE, "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** Options of the launcher that have no say in the modules: they begin with one of these. */
    private static final List<String> HARMLESS =
        List.of(
            "-X", "-D", "-ea", "-da", "-esa", "-dsa", "-enableassertions", "-verbose", "-server");

    /** The exceptions: they read more options from a file, or set what options of modules set. */
    private static final List<String> HARMFUL =
        List.of("-XX:Flags=", "-XX:VMOptionsFile=", "-XX:+ReadVMOptionsFile", "-Djdk.module.");

    private static final List<String> CLASS_PATH = List.of("-cp", "-classpath", "--class-path");

    private final List<String> words;
    private final String option;
    private final List<String> added = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();

    /** {@code repository}: where Flight Recorder writes; null if it is not to. */
    Command(List<String> words, Path agent, String agentOptions, @Nullable Path repository) {
      this(words, agent, agentOptions, repository, System.getenv());
    }

    Command(
        List<String> words,
        Path agent,
        String agentOptions,
        @Nullable Path repository,
        Map<String, String> environment) {
      this.words = List.copyOf(words);
      this.option =
          isJava()
                  && isOnClassPath(this.words)
                  && VARIABLES.stream().noneMatch(environment::containsKey)
              ? "-agentlib:instrument="
              : "-javaagent:";
      if (repository != null) {
        // Where it is found, should the program be killed. One that the program sets itself holds.
        added.add("-XX:FlightRecorderOptions:repository=" + repository);
      }
      added.add(option + agent + "=" + agentOptions);
      if (isJava()) {
        added.add(SOCKET);
      }
    }

    /** Its file, if it is a Go program itself; else null. */
    @Nullable Path goFile() {
      Path file = isJava() ? null : onPath(words.getFirst());
      return file == null || GoProgram.of(file) == null ? null : file;
    }

    /** The file of a word as the system finds it; null if there is none. */
    private static @Nullable Path onPath(String word) {
      try {
        if (word.indexOf('/') >= 0) {
          return Path.of(word);
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
          Path file = Path.of(folder, word);
          if (Files.isRegularFile(file) && Files.isExecutable(file)) {
            return file;
          }
        }
      } catch (InvalidPathException e) {
        // Whoever starts it says so.
      }
      return null;
    }

    /**
     * Tells Go programs where to publish, and how much to record unless the user has said so: the
     * command itself, and those that a script starts.
     */
    void tellGo(Path folder, String level) {
      variables.put(GO_FOLDER, folder.toString());
      if (!System.getenv().containsKey(GO_LEVEL)) {
        variables.put(GO_LEVEL, level);
      }
    }

    /**
     * Has a library loaded before all others, which samples malloc into a file; {@code %p} in its
     * name is the process's number.
     */
    void preload(Path library, Path file) {
      String before = System.getenv().getOrDefault("LD_PRELOAD", "");
      variables.put("LD_PRELOAD", before.isEmpty() ? library.toString() : before + ":" + library);
      variables.put("OFFCUT_NATIVE_FILE", file.toString());
      variables.put("OFFCUT_NATIVE_GO", "1");
    }

    /** Adds another agent, which is loaded before the one that counts. */
    void addAgent(Path jar, String options) {
      add(option + jar + "=" + options);
    }

    void add(String option) {
      added.addFirst(option);
    }

    boolean isJava() {
      try {
        Path name = Path.of(words.getFirst()).getFileName();
        return name != null
            && (name.toString().equals("java") || name.toString().equals("java.exe"));
      } catch (InvalidPathException e) {
        return false;
      }
    }

    /** Whether it starts a class or a jar, by options of which none chooses modules. */
    private static boolean isOnClassPath(List<String> words) {
      for (int i = 1; i < words.size(); i++) {
        String word = words.get(i);
        if (word.equals("-jar") || !word.startsWith("-")) {
          return !word.startsWith("@") && !word.endsWith(".java");
        }
        if (CLASS_PATH.contains(word)) {
          i++;
        } else if (HARMLESS.stream().noneMatch(word::startsWith)
            || HARMFUL.stream().anyMatch(word::startsWith)) {
          return false;
        }
      }
      return false;
    }

    /** How to start it. Its streams are ours. */
    ProcessBuilder process() {
      List<String> command = new ArrayList<>(words);
      if (isJava()) {
        command.addAll(1, added);
      }
      ProcessBuilder process = new ProcessBuilder(command).inheritIO();
      if (!isJava()) {
        addTo(process.environment());
        process.environment().putAll(variables);
      }
      return process;
    }

    private void addTo(Map<String, String> environment) {
      StringBuilder options = new StringBuilder(environment.getOrDefault(VARIABLE, ""));
      for (String option : added) {
        options.append(options.isEmpty() ? "" : " ").append(quoted(option));
      }
      environment.put(VARIABLE, options.toString());
    }

    /** As the JVM reads the variable: quotes keep blanks. */
    private static String quoted(String option) {
      return option.indexOf(' ') < 0 ? option : "\"" + option + "\"";
    }
  }
}
