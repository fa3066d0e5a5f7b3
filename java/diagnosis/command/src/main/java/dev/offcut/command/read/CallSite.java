package dev.offcut.command.read;

import java.util.List;

/**
 * A place in a program.
 *
 * @param frames of a stack, innermost first; none if the place is not known
 */
public record CallSite(List<String> frames) {
  /** A place that is not known. */
  public static final CallSite UNKNOWN = new CallSite(List.of());

  /** Whether any frame is known. */
  public boolean isKnown() {
    return !frames.isEmpty();
  }

  /** The frame that a person would mend. */
  public String own() {
    return frames.get(ownAt());
  }

  /** Which of the frames that is. */
  public int ownAt() {
    return KnownLibraries.own(frames);
  }

  /** The line of that frame, as {@code Orders.java:88}. */
  public String line() {
    String own = own();
    int end = own.endsWith(")") ? own.length() - 1 : own.length();
    return own.substring(own.indexOf('(') + 1, end);
  }

  /** The method of that frame. */
  public String method() {
    String own = own();
    int end = own.indexOf('(');
    return end < 0 ? own : own.substring(0, end);
  }
}
