package dev.offcut.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of JSON (RFC 8259) that knows in which line each object begins, so that what is wrong
 * with it can be said by file and line. It is small, since the agent has it in its jar.
 *
 * <p>Values are {@link Members}, {@link List}, {@link String}, {@link Boolean}, {@link Double} and
 * null.
 */
final class Json {
  /** An object. {@code line}: where it begins, from 1 on. */
  record Members(int line, Map<String, @Nullable Object> all) {}

  /** A text that is no JSON. */
  static final class NoJsonException extends Exception {
    private static final long serialVersionUID = 1;

    final int line;

    NoJsonException(int line, String message) {
      super(message);
      this.line = line;
    }
  }

  /** Deeper than any file of rules: a text that nests without end must not end a thread. */
  private static final int DEEPEST = 32;

  private static final String NUMBER = "+-.eE0123456789";

  private final String text;
  private int at;
  private int line = 1;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /** Reads a text that is one value. */
  static @Nullable Object read(String text) throws NoJsonException {
    Json json = new Json(text);
    Object value = json.value();
    json.skipBlanks();
    if (json.at < text.length()) {
      throw json.expected("the end");
    }
    return value;
  }

  private @Nullable Object value() throws NoJsonException {
    skipBlanks();
    if (at == text.length()) {
      throw expected("a value");
    }
    return switch (text.charAt(at)) {
      case '{' -> members();
      case '[' -> list();
      case '"' -> string();
      default -> word();
    };
  }

  private Members members() throws NoJsonException {
    enter();
    int begin = line;
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    at++;
    for (boolean more = !isNext('}'); more; more = isNext(',', '}')) {
      skipBlanks();
      if (at == text.length() || text.charAt(at) != '"') {
        throw expected("a name in quotes");
      }
      String name = string();
      if (!isNext(':')) {
        throw expected("a colon behind \"" + name + "\"");
      }
      Object value = value();
      if (all.containsKey(name)) {
        throw new NoJsonException(line, "\"" + name + "\" is there twice");
      }
      all.put(name, value);
    }
    depth--;
    return new Members(begin, all);
  }

  private List<@Nullable Object> list() throws NoJsonException {
    enter();
    List<@Nullable Object> all = new ArrayList<>();
    at++;
    for (boolean more = !isNext(']'); more; more = isNext(',', ']')) {
      all.add(value());
    }
    depth--;
    return all;
  }

  private void enter() throws NoJsonException {
    if (++depth > DEEPEST) {
      throw new NoJsonException(line, "it is nested more than " + DEEPEST + " deep");
    }
  }

  /** Whether a character is next, which is passed over then. */
  private boolean isNext(char wanted) {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  /** Whether it goes on; false at the end. */
  private boolean isNext(char on, char end) throws NoJsonException {
    if (isNext(on)) {
      return true;
    }
    if (isNext(end)) {
      return false;
    }
    throw expected("\"" + on + "\" or \"" + end + "\"");
  }

  private String string() throws NoJsonException {
    StringBuilder string = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char next = text.charAt(at);
      if (next == '"') {
        at++;
        return string.toString();
      }
      if (next < ' ') {
        break;
      }
      string.append(next == '\\' ? escaped() : next);
    }
    throw expected("the end of a text in quotes");
  }

  /** The character that stands behind a backslash, in other words. */
  private char escaped() throws NoJsonException {
    int kind = ++at < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(at)) : -1;
    if (kind < 0) {
      throw expected("one of \"\\/bfnrtu behind a backslash");
    }
    if (text.charAt(at) != 'u') {
      return "\"\\/\b\f\n\r\t".charAt(kind);
    }
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = ++at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
      if (digit < 0) {
        throw expected("four hexadecimal digits behind \\u");
      }
      code = code << 4 | digit;
    }
    return (char) code;
  }

  private @Nullable Object word() throws NoJsonException {
    int begin = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || NUMBER.indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    String word = text.substring(begin, at);
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> null;
      default -> {
        at = begin;
        yield number(word);
      }
    };
  }

  private Double number(String word) throws NoJsonException {
    try {
      // Java's numbers may begin and end with what those of JSON may not.
      if (word.matches("-?[0-9].*[0-9]|[0-9]")) {
        Double number = Double.valueOf(word);
        at += word.length();
        return number;
      }
    } catch (NumberFormatException e) {
      // likewise
    }
    throw expected("a value");
  }

  private void skipBlanks() {
    for (; at < text.length(); at++) {
      char next = text.charAt(at);
      if (next == '\n') {
        line++;
      } else if (next != ' ' && next != '\t' && next != '\r') {
        return;
      }
    }
  }

  private NoJsonException expected(String what) {
    String there = at < text.length() ? "\"" + text.charAt(at) + "\"" : "the end";
    return new NoJsonException(line, what + " is missing before " + there);
  }
}
