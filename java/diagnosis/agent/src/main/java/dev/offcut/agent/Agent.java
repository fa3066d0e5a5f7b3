package dev.offcut.agent;

import dev.offcut.agent.base.concurrent.OwnBuffers;
import dev.offcut.agent.hooks.Level;
import dev.offcut.agent.hooks.Source;
import dev.offcut.agent.publish.ExitAccount;
import dev.offcut.agent.publish.LastLook;
import java.lang.instrument.Instrumentation;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The entry of the agent: the JVM calls it before {@code main}, or when the agent is attached.
 *
 * <p>The program comes first. If something fails here, one line on stderr says so, nothing is
 * thrown, and the program runs as if the feature were switched off.
 */
public final class Agent {
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private Agent() {}

  /** Called by the JVM before the program, with what stands behind {@code -javaagent:JAR=}. */
  public static void premain(@Nullable String given, Instrumentation instrumentation) {
    start(given, instrumentation, false);
  }

  /** Called by the JVM when the agent is attached to a program that runs. */
  public static void agentmain(@Nullable String given, Instrumentation instrumentation) {
    if (given == null || !Request.is(given)) {
      start(given, instrumentation, true);
    } else if (STARTED.get()) {
      Request.answer(given);
    }
  }

  private static void start(@Nullable String given, Instrumentation instrumentation, boolean late) {
    try {
      if (!STARTED.compareAndSet(false, true)) {
        Messages.say("the agent is in this JVM already; loading it again has no effect");
        return;
      }
      Options options = Options.read(given);
      if (options.isGiven(Option.QUIET)) {
        Messages.beQuiet();
      }
      if (options.isOn(Option.ENABLED)) {
        install(options, instrumentation, late);
      } else {
        Messages.note("switched off as a whole");
      }
      Presence.arrive();
    } catch (Throwable e) {
      Messages.say("the agent did not start (" + e + "); the program runs without it");
    }
  }

  private static void install(Options options, Instrumentation instrumentation, boolean late) {
    String tracked = null;
    if (options.level() != Level.OFF) {
      tracked = installTracking(options, instrumentation, late);
    } else if (options.value(Option.RECORD) != null) {
      Messages.say("nothing is recorded at level off: add level=count, level=sample or level=full");
    } else if (options.watches()) {
      Messages.say("nothing is watched at level off: add level=count, level=sample or level=full");
    }
    Messages.sayStarted(line(options, tracked));
    String account = options.value(Option.ACCOUNT);
    if (account != null && !late) {
      if (tracked != null) {
        OwnBuffers.begin(); // the thread is the program's
      }
      ExitAccount.waitFor(account);
      if (options.holders() > 0) {
        LastLook.waitFor(account, options.holders(), instrumentation);
      }
      if (tracked != null) {
        OwnBuffers.end();
      }
    }
  }

  private static String line(Options options, @Nullable String tracked) {
    StringBuilder line = new StringBuilder(tracked == null ? "tracks nothing" : tracked);
    String off = "; switched off ";
    for (Option option : Option.values()) {
      if (option.isSwitch() && options.isOff(option)) {
        line.append(off).append(option.label());
        off = ", ";
      }
    }
    return line.toString();
  }

  private static @Nullable String installTracking(
      Options options, Instrumentation instrumentation, boolean late) {
    try {
      Set<Source> sources = new TreeSet<>();
      Set<Source> asked = new TreeSet<>();
      for (Source source : Source.values()) {
        if (options.isOn(source.option)) {
          sources.add(source);
        }
        if (options.isGiven(source.option)) {
          asked.add(source);
        }
      }
      return Tracking.install(
          instrumentation,
          new Tracking.Settings(
              options.level(),
              options.sample(),
              sources,
              asked,
              options.isGiven(Option.GCATEXIT),
              options.value(Option.RECORD),
              options.value(Option.TABLES),
              options.fleet(),
              options.holders() > 0,
              late,
              options.missed(),
              options.rules(),
              options.watched(),
              late ? options.isGiven(Option.NATIVE) : options.isOn(Option.NATIVE)));
    } catch (Throwable e) {
      Messages.say("tracking: the agent did not start (" + e + "); nothing is tracked");
      return null;
    }
  }
}
