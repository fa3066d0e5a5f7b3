package dev.offcut.bench.results;

import java.util.List;
import java.util.Locale;

/**
 * An SVG that is being drawn: rectangles and lines of text on a white ground, so that it can be
 * read on any page. Colours after Okabe and Ito, which people with any colour vision tell apart.
 */
final class Svg {
  static final String OURS = "#0b4f8a";
  static final String THEIRS = "#8a8a8a";
  static final String PALE = "#cfe3f5";
  static final String WARNING = "#e69f00";
  static final String THIRD = "#009e73";
  static final String NOTHING = "#ededed";
  static final String INK = "#222222";

  private static final double LETTER = 12;

  private final StringBuilder text = new StringBuilder();

  Svg(double width, double height, String title) {
    text.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        .append(number(width))
        .append(' ')
        .append(number(height))
        .append("\" width=\"")
        .append(number(width))
        .append("\" height=\"")
        .append(number(height))
        .append("\" role=\"img\" font-family=\"sans-serif\" font-size=\"")
        .append(number(LETTER))
        .append("\">\n<title>")
        .append(escaped(title))
        .append("</title>\n");
    box(0, 0, width, height, "#ffffff");
  }

  Svg box(double x, double y, double width, double height, String colour) {
    text.append("<rect x=\"")
        .append(number(x))
        .append("\" y=\"")
        .append(number(y))
        .append("\" width=\"")
        .append(number(width))
        .append("\" height=\"")
        .append(number(height))
        .append("\" fill=\"")
        .append(colour)
        .append("\"/>\n");
    return this;
  }

  /** A round mark. */
  Svg dot(double x, double y, double radius, String colour) {
    text.append("<circle cx=\"")
        .append(number(x))
        .append("\" cy=\"")
        .append(number(y))
        .append("\" r=\"")
        .append(number(radius))
        .append("\" fill=\"")
        .append(colour)
        .append("\"/>\n");
    return this;
  }

  /** A line through points, each an x and a y. */
  Svg curve(List<double[]> points, String colour) {
    text.append("<polyline points=\"");
    for (double[] point : points) {
      text.append(number(point[0])).append(',').append(number(point[1])).append(' ');
    }
    text.append("\" fill=\"none\" stroke=\"").append(colour).append("\" stroke-width=\"1.5\"/>\n");
    return this;
  }

  /** On the line whose foot is at {@code y}. */
  Svg say(double x, double y, String line) {
    return line(x, y, "", line);
  }

  Svg sayBold(double x, double y, String line) {
    return line(x, y, " font-weight=\"bold\"", line);
  }

  private Svg line(double x, double y, String style, String line) {
    text.append("<text x=\"")
        .append(number(x))
        .append("\" y=\"")
        .append(number(y))
        .append("\" fill=\"")
        .append(INK)
        .append('"')
        .append(style)
        .append('>')
        .append(escaped(line))
        .append("</text>\n");
    return this;
  }

  String done() {
    return text + "</svg>\n";
  }

  private static String number(double value) {
    String digits = String.format(Locale.ROOT, "%.1f", value);
    return digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits;
  }

  private static String escaped(String line) {
    return line.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
