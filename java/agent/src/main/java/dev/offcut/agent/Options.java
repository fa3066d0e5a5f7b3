package dev.offcut.agent;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the switches stand. All are on but those that are switched off, by an option of the agent
 * ({@code jna=off}) or, where there is none, by a system property ({@code -Doffcut.jna=off}).
 *
 * <p>What is not understood is said in one line each, and changes nothing.
 */
final class Options {
  private final Map<Option, Boolean> states = new EnumMap<>(Option.class);

  private Options() {}

  /** Reads the system properties and the options of the agent: {@code key=value,key=value}. */
  static Options read(@Nullable String given) {
    Options options = new Options();
    for (Option option : Option.values()) {
      String value = System.getProperty(option.property());
      if (value != null) {
        options.set(option, option.property(), value);
      }
    }
    for (String pair : given == null ? new String[0] : given.split(",", -1)) {
      if (!pair.isBlank()) {
        options.set(pair.trim());
      }
    }
    return options;
  }

  boolean isOn(Option option) {
    return states.getOrDefault(option, true);
  }

  private void set(String pair) {
    int equals = pair.indexOf('=');
    String key = equals < 0 ? pair : pair.substring(0, equals);
    for (Option option : Option.values()) {
      if (option.label().equals(key)) {
        set(option, key, equals < 0 ? "" : pair.substring(equals + 1));
        return;
      }
    }
    String known = Stream.of(Option.values()).map(Option::label).collect(Collectors.joining(", "));
    Messages.say("the option " + key + " is unknown; known are " + known);
  }

  private void set(Option option, String name, String value) {
    switch (value) {
      case "on", "true" -> states.put(option, true);
      case "off", "false" -> states.put(option, false);
      default ->
          Messages.say(
              name
                  + "="
                  + value
                  + " is neither on nor off; "
                  + (isOn(option) ? "on" : "off")
                  + " is used");
    }
  }
}
