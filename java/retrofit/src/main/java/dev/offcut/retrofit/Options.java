package dev.offcut.retrofit;

import dev.offcut.agent.Messages;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind {@code -javaagent:offcut-retrofit.jar=}: {@code key=value,key=value}. All
 * switches are on but those that are switched off.
 *
 * <p>What is not understood is said in one line each, and changes nothing.
 */
final class Options {
  /** What may be switched off. */
  enum Switch {
    /** Object streams walk over the stack once an entry. */
    STREAMS,
    /** A class that a loader answered with is not asked for again. */
    CLASSCACHE,
    /** Elements of the JDK's collections are read within the entry of the collection. */
    COLLECTIONS,
    /** JNA's Memory keeps its table of allocations without garbage. */
    JNA;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String KNOWN =
      Stream.of(Switch.values()).map(Switch::label).collect(Collectors.joining(", "))
          + ", verify, quiet";

  private final Set<Switch> off = EnumSet.noneOf(Switch.class);
  private int verify;
  private boolean quiet;

  private Options() {}

  /** Reads them; null: there are none. */
  static Options read(@Nullable String given) {
    Options options = new Options();
    for (String pair : given == null ? new String[0] : given.split(",", -1)) {
      if (!pair.isBlank()) {
        options.set(pair.trim());
      }
    }
    return options;
  }

  boolean isOn(Switch one) {
    return !off.contains(one);
  }

  /** The names of the switches that are off, separated by commas. */
  String off() {
    return off.stream().map(Switch::label).collect(Collectors.joining(", "));
  }

  /** Of N answers one is compared with the stock one; 0: none is. */
  int verify() {
    return verify;
  }

  /** Whether stderr has only what is wrong. */
  boolean quiet() {
    return quiet;
  }

  private void set(String pair) {
    int equals = pair.indexOf('=');
    String key = equals < 0 ? pair : pair.substring(0, equals);
    String value = equals < 0 ? "" : pair.substring(equals + 1);
    switch (key) {
      case "verify" -> setVerify(value);
      case "quiet" -> quiet = isOn(key, value, quiet);
      default -> setSwitch(key, value);
    }
  }

  private void setVerify(String value) {
    try {
      long every = Long.parseLong(value);
      if (every > 0) {
        verify = (int) Math.min(Integer.MAX_VALUE, every); // beyond it, one more is all the same
        return;
      }
    } catch (NumberFormatException e) {
      // As a number below 1.
    }
    Messages.say("verify=" + value + " is not a number from 1 on; nothing is verified");
  }

  private void setSwitch(String key, String value) {
    for (Switch one : Switch.values()) {
      if (one.label().equals(key)) {
        if (isOn(key, value, isOn(one))) {
          off.remove(one);
        } else {
          off.add(one);
        }
        return;
      }
    }
    Messages.say("the option " + key + " is unknown; known are " + KNOWN);
  }

  private static boolean isOn(String key, String value, boolean before) {
    return switch (value) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default -> {
        Messages.say(
            key + "=" + value + " is neither on nor off; " + (before ? "on" : "off") + " is used");
        yield before;
      }
    };
  }
}
