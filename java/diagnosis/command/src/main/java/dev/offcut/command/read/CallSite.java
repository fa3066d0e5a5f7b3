package dev.offcut.command.read;

import dev.offcut.rules.CallSiteRule;
import java.util.List;

/**
 * A place in a program.
 *
 * @param frames of a stack, innermost first; none if the place is not known
 * @param ownAt which of the frames is the line of the program, the one that a person would mend
 * @param through the code sources of the frames further in; none if they are not known
 * @param isMostly whether the line started most of the threads, but not all
 */
public record CallSite(List<String> frames, int ownAt, List<String> through, boolean isMostly) {
  public static final CallSite UNKNOWN = new CallSite(List.of());

  /** A stack of which only the names of the frames are known. */
  public CallSite(List<String> frames) {
    this(frames, KnownLibraries.own(frames), List.of());
  }

  public CallSite(List<String> frames, int ownAt, List<String> through) {
    this(frames, ownAt, through, false);
  }

  /** That of several ways, whose threads may have been started at other lines. */
  static CallSite of(List<String> frames, int own, List<String> through, List<Digest.Path> ways) {
    String line = frames.isEmpty() ? "" : frames.get(own);
    boolean isMostly = ways.stream().anyMatch(way -> !way.frames().get(way.own()).equals(line));
    return new CallSite(frames, own, through, isMostly);
  }

  public boolean isKnown() {
    return !frames.isEmpty();
  }

  /** The line of the program, with its class and method. */
  public String own() {
    return frames.get(ownAt);
  }

  /** The program's line that started the thread; empty if the stack has the program's, or none. */
  String startedAt() {
    int mark = frames.size() - 2;
    return mark > 0 && frames.get(mark).equals(CallSiteRule.STARTED) ? frames.getLast() : "";
  }

  /** The same place, of which the line that started the thread is the one to mend. */
  CallSite atStart() {
    return new CallSite(frames, frames.size() - 1, through);
  }

  /** Whether the line is not on the stack, but started the thread. */
  public boolean isAtStart() {
    return ownAt == frames.size() - 1 && !startedAt().isEmpty();
  }

  /** Whether the line is the JDK's, since no other code is on the stack. */
  public boolean isJdks() {
    String own = own();
    return own.startsWith("java.") || own.startsWith("jdk.") || own.startsWith("sun.");
  }

  /** Where objects were opened, with class and method: {@code at com.acme.Orders.load(…)}. */
  public String atOwn() {
    return preposition() + own();
  }

  /** Where objects were opened, in short: {@code at Orders.java:88}. */
  public String atLine() {
    return preposition() + line();
  }

  private String preposition() {
    return isAtStart() ? (isMostly ? "mostly " : "") + "in threads started at " : "at ";
  }

  /** The line of that frame, as {@code Orders.java:88}. */
  public String line() {
    String own = own();
    int end = own.endsWith(")") ? own.length() - 1 : own.length();
    return own.substring(own.indexOf('(') + 1, end);
  }
}
