package dev.offcut.retrofit;

import dev.offcut.agent.Messages;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind {@code -javaagent:offcut-retrofit.jar=}: {@code key=value,key=value}.
 *
 * <p>What is not understood is said in one line each, and changes nothing.
 */
final class Options {
  /** Whether object streams walk over the stack once an entry. */
  boolean streams = true;

  /** Whether JNA's Memory keeps its table of allocations without garbage. */
  boolean jna = true;

  /** Of N answers one is compared with the stock one; 0: none is. */
  int verify;

  /** Whether stderr has only what is wrong. */
  boolean quiet;

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

  private void set(String pair) {
    int equals = pair.indexOf('=');
    String key = equals < 0 ? pair : pair.substring(0, equals);
    String value = equals < 0 ? "" : pair.substring(equals + 1);
    switch (key) {
      case "streams" -> streams = isOn(key, value, streams);
      case "jna" -> jna = isOn(key, value, jna);
      case "verify" -> setVerify(value);
      case "quiet" -> quiet = isOn(key, value, quiet);
      default ->
          Messages.say("the option " + key + " is unknown; known are streams, jna, verify, quiet");
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
