package dev.offcut.retrofit;

import dev.offcut.agent.Messages;
import dev.offcut.agent.Presence;
import dev.offcut.retrofit.jna.JnaRetrofit;
import dev.offcut.retrofit.stream.StreamRetrofit;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entry of the retrofit: the JVM calls it before {@code main}, or when it is attached.
 *
 * <p>The program comes first. If something fails here, one line on stderr says so, nothing is
 * thrown, and the program runs as if the feature were switched off.
 *
 * <p>Its jar has copies of the classes of {@code dev.offcut.agent} that it uses, in this package:
 * the two agents may be in one JVM, and know nothing of each other.
 */
public final class Agent {
  private static boolean started;

  private Agent() {}

  /** Called by the JVM before the program, with what stands behind {@code -javaagent:JAR=}. */
  public static void premain(@Nullable String given, Instrumentation instrumentation) {
    start(given, instrumentation);
  }

  /** Called by the JVM when the retrofit is attached to a program that runs. */
  public static void agentmain(@Nullable String given, Instrumentation instrumentation) {
    start(given, instrumentation);
  }

  private static void start(@Nullable String given, Instrumentation instrumentation) {
    try {
      if (startedBefore()) {
        Messages.say("the retrofit is in this JVM already; loading it again has no effect");
        return;
      }
      Options options = Options.read(given);
      if (options.quiet) {
        Messages.beQuiet();
      }
      install(options, instrumentation);
      Presence.arrive();
    } catch (Throwable e) {
      Messages.say("the retrofit did not start (" + e + "); the program runs without it");
    }
  }

  private static synchronized boolean startedBefore() {
    boolean before = started;
    started = true;
    return before;
  }

  private static void install(Options options, Instrumentation instrumentation) {
    List<String> what = new ArrayList<>();
    String streams = options.streams ? installStreams(options.verify, instrumentation) : null;
    if (streams != null) {
      what.add(streams);
    }
    if (options.jna) {
      JnaRetrofit.install(instrumentation);
      what.add("JNA's Memory");
    }
    List<String> off = new ArrayList<>();
    if (!options.streams) {
      off.add("streams");
    }
    if (!options.jna) {
      off.add("jna");
    }
    Messages.sayStarted(
        (what.isEmpty() ? "rewrites nothing" : "will rewrite " + String.join(", ", what))
            + (off.isEmpty() ? "" : "; switched off " + String.join(", ", off)));
  }

  private static @Nullable String installStreams(int verify, Instrumentation instrumentation) {
    try {
      return StreamRetrofit.install(instrumentation, verify);
    } catch (Throwable e) {
      Messages.say("object streams: the retrofit did not start (" + e + "); left as they are");
      return null;
    }
  }
}
