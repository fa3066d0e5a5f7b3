package dev.offcut.objectstream;

import java.util.Collection;

/** Allow lists as text: a name a line, {@code #} for comments. */
final class AllowListText {
  private AllowListText() {}

  private static final String HEADER =
      """
      # What object streams of this program may hold. One name a line:
      #   com.acme.Order          a class, and arrays of it
      #   com.acme.model.*        all classes of a package, not of those below it
      #   proxy com.acme.Api      an interface that proxies may have
      #   lambda com.acme.Jobs    a class whose lambdas may be read
      # Read every line before you use the list: who sends a stream can send every class that is named here.
      """;

  /** The header, and the lines in their order. */
  static String of(Collection<String> lines) {
    StringBuilder text = new StringBuilder(HEADER);
    lines.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  /** Adds what {@code text} names, from {@code source}, to a builder; all of it or nothing. */
  static void parse(String text, String source, StreamPolicy.Builder into) {
    StreamPolicy.Builder read = StreamPolicy.builder();
    int number = 0;
    for (String line : text.split("\\R", -1)) {
      number++;
      int comment = line.indexOf('#');
      String entry = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (!entry.isEmpty()) {
        add(entry, source + ", line " + number, read);
      }
    }
    into.addNamesOf(read);
  }

  private static void add(String entry, String place, StreamPolicy.Builder read) {
    if (entry.startsWith(AllowList.PROXY)) {
      read.proxies.add(name(entry.substring(AllowList.PROXY.length()).strip(), place));
    } else if (entry.startsWith(AllowList.LAMBDA)) {
      read.lambdas.add(name(entry.substring(AllowList.LAMBDA.length()).strip(), place));
    } else if (entry.endsWith(AllowList.ALL_OF_PACKAGE)) {
      int end = entry.length() - AllowList.ALL_OF_PACKAGE.length();
      read.packages.add(name(entry.substring(0, end), place));
    } else {
      read.classes.add(name(entry, place));
    }
  }

  /** The name if it is one. */
  static String name(String text, String place) {
    if (!ClassName.isValid(text)) {
      throw new IllegalArgumentException(
          ("%s: \"%s\" is not the name of a class or package; write com.acme.Order,"
                  + " com.acme.Order$Line for a nested class, or com.acme.model.* for a package")
              .formatted(place, ClassName.printable(text)));
    }
    return text;
  }
}
