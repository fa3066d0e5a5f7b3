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
      if (options.quiet()) {
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
    String streams =
        options.isOn(Options.Switch.STREAMS) ? installStreams(options, instrumentation) : null;
    if (options.isOn(Options.Switch.JNA)) {
      JnaRetrofit.install(instrumentation);
    }
    Messages.sayStarted(line(options, streams));
  }

  private static @Nullable String installStreams(Options options, Instrumentation instrumentation) {
    try {
      return StreamRetrofit.install(
          instrumentation,
          new StreamRetrofit.Settings(
              options.isOn(Options.Switch.CLASSCACHE),
              options.isOn(Options.Switch.COLLECTIONS),
              options.verify()));
    } catch (Throwable e) {
      Messages.say("object streams: the retrofit did not start (" + e + "); left as they are");
      return null;
    }
  }

  private static String line(Options options, @Nullable String streams) {
    List<String> what = new ArrayList<>();
    if (streams != null) {
      what.add(streams);
    }
    if (options.isOn(Options.Switch.JNA)) {
      what.add("JNA's Memory");
    }
    String off = options.off();
    return (what.isEmpty() ? "rewrites nothing" : "will rewrite " + String.join(", ", what))
        + (off.isEmpty() ? "" : "; switched off " + off);
  }
}
