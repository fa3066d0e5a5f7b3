package dev.offcut.command.read;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of C++ and Rust functions as people write them: scopes and the name, without parameters.
 * What stands between angle brackets is left out. A name of another form stays as it is.
 *
 * <p>Of the Itanium C++ ABI it reads what names of functions are made of, and passes over types;
 * see https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling. Names of Rust are those of its
 * legacy form, which is a form of the same, and of its v0 form, of which the identifiers are taken.
 */
final class Demangler {
  private static final Map<String, String> OPERATORS =
      Map.of(
          "nw", "operator new",
          "na", "operator new[]",
          "dl", "operator delete",
          "da", "operator delete[]",
          "aS", "operator=",
          "cl", "operator()",
          "ix", "operator[]",
          "pt", "operator->",
          "eq", "operator==",
          "lt", "operator<");

  private static final Map<Character, String> STANDARD =
      Map.of(
          't', "std",
          'a', "std::allocator",
          'b', "std::basic_string",
          's', "std::string",
          'i', "std::istream",
          'o', "std::ostream",
          'd', "std::iostream");

  /** A name of Rust's legacy form, before the hash that ends it. */
  private static final Pattern RUST = Pattern.compile("(_ZN.*)17h[0-9a-f]{16}E");

  private static final Map<String, String> RUST_CHARACTERS =
      Map.of(
          "$LT$", "<", "$GT$", ">", "$u20$", " ", "$C$", ",", "$RF$", "&", "$BP$", "*", "$LP$", "(",
          "$RP$", ")", "$u7b$", "{", "$u7d$", "}");

  /** Longer names stay as they are: types in each other take a call each. */
  private static final int LONGEST = 4096;

  private final String text;
  private int at;

  private Demangler(String text, int from) {
    this.text = text;
    this.at = from;
  }

  static String name(String symbol) {
    if (symbol.length() > LONGEST) {
      return symbol;
    }
    Matcher rust = RUST.matcher(symbol);
    // What a compiler makes of a part of a function, or the linker of a version.
    int dot = symbol.indexOf('.');
    int version = symbol.indexOf('@');
    String text = symbol.substring(0, dot > 0 ? dot : version > 0 ? version : symbol.length());
    String name = null;
    try {
      if (rust.lookingAt()) {
        name = decoded(String.valueOf(new Demangler(rust.group(1) + "E", 2).encoding()));
      } else if (text.startsWith("_Z")) {
        name = new Demangler(text, 2).encoding();
      } else if (text.startsWith("_R")) {
        name = new Demangler(text, 2).rust();
      }
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      // another form
    }
    boolean isMangled = text.startsWith("_Z") || text.startsWith("_R");
    return name != null && !name.isEmpty() ? name : isMangled ? symbol : text;
  }

  /** What Rust's names have for other characters. */
  private static String decoded(String name) {
    String text = name.replace("..", "::");
    for (Map.Entry<String, String> one : RUST_CHARACTERS.entrySet()) {
      text = text.replace(one.getKey(), one.getValue());
    }
    return text.replace("::_<", "::<").replaceAll("^_<", "<");
  }

  private boolean takes(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private @Nullable String encoding() {
    if (takes('T')) {
      return null; // a table, or a thunk
    }
    if (takes('N')) {
      return nested();
    }
    if (takes('Z')) {
      String outer = encoding();
      pastEnd();
      if (outer == null || takes('s')) {
        return outer;
      }
      String inner = takes('N') ? nested() : unqualified("");
      return inner == null ? outer : outer + "::" + inner;
    }
    String name = takes('S') ? "std::" + standard() : unqualified("");
    if (takes('I')) {
      pastEnd();
    }
    return name;
  }

  /** Behind an S: {@code std} is left for who adds what follows. */
  private String standard() {
    if (takes('t')) {
      return String.valueOf(unqualified(""));
    }
    substitution();
    return "";
  }

  /** Scopes up to an E. */
  private @Nullable String nested() {
    while (at < text.length() && "rVKRO".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    StringBuilder name = new StringBuilder();
    String last = "";
    while (!takes('E')) {
      String part;
      if (takes('I')) {
        pastEnd();
        continue;
      } else if (takes('S')) {
        part = substitution();
      } else if (takes('T')) {
        past('_');
        part = "";
      } else if (takes('L')) {
        continue; // with internal linkage
      } else {
        part = unqualified(last);
      }
      if (part == null) {
        return null;
      }
      if (!part.isEmpty()) {
        name.append(name.isEmpty() ? "" : "::").append(part);
        last = part;
      }
    }
    return name.toString();
  }

  /** A name without scopes; null: of a form that is not known. */
  private @Nullable String unqualified(String scope) {
    char c = text.charAt(at);
    if (c >= '0' && c <= '9') {
      String name = identifier();
      while (takes('B')) {
        identifier(); // of an ABI
      }
      return name.startsWith("_GLOBAL__N") ? "(anonymous)" : name;
    }
    String two = text.substring(at, at + 2);
    if (two.equals("L" + two.charAt(1))) {
      at++;
      return unqualified(scope);
    }
    if (c == 'C' || (c == 'D' && Character.isDigit(two.charAt(1)))) {
      at += 2;
      int colons = scope.lastIndexOf(':');
      return (c == 'D' ? "~" : "") + scope.substring(colons + 1);
    }
    if (two.equals("Ut") || two.equals("Ul")) {
      at += 2;
      if (two.equals("Ul")) {
        pastEnd();
      }
      past('_');
      return "{lambda}";
    }
    if (two.equals("cv")) {
      return null; // to a type
    }
    String operator = OPERATORS.get(two);
    at += 2;
    return operator != null ? operator : Character.isLowerCase(c) ? "operator " + two : null;
  }

  private String identifier() {
    int length = number();
    at += length;
    return text.substring(at - length, at);
  }

  private int number() {
    int from = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    return Integer.parseInt(text.substring(from, at));
  }

  /** What an S refers to: a name of the standard library is told, another one was told before. */
  private String substitution() {
    String known = STANDARD.get(text.charAt(at));
    if (known != null) {
      at++;
      return known;
    }
    past('_');
    return "";
  }

  private void past(char last) {
    at = text.indexOf(last, at) + 1;
    if (at == 0) {
      throw new NumberFormatException("another form");
    }
  }

  /** Passes over types, or arguments of a template, up to the E that ends them. */
  private void pastEnd() {
    while (!takes('E')) {
      char c = text.charAt(at);
      if (Character.isDigit(c)) {
        identifier();
        continue;
      }
      at++;
      switch (c) {
        case 'N', 'I', 'F', 'J', 'X' -> pastEnd();
        case 'L' -> past('E');
        case 'S' -> substitution();
        case 'T', 'A' -> past('_');
        case 'U' -> {
          if (takes('l')) {
            pastEnd();
            past('_');
          }
        }
        case 'D' -> {
          if (takes('t') || takes('T')) {
            pastEnd();
          }
        }
        default -> {} // of one letter, or before another type
      }
    }
  }

  /** The identifiers of a path, without what is generic. */
  private String rust() {
    StringBuilder name = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == 's') {
        past('_');
      } else if (Character.isDigit(c)) {
        int length = number();
        takes('_');
        String part = text.substring(at, at + length);
        at += length;
        if (!part.isEmpty()) {
          name.append(name.isEmpty() ? "" : "::").append(part);
        }
      } else if (c == 'I' && !name.isEmpty()) {
        break;
      } else {
        at++;
      }
    }
    return name.toString();
  }
}
