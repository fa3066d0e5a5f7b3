package dev.offcut.objectstream;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A class name as a stream writes it, taken apart: {@code [[Lcom.acme.Order;} is two dimensions of
 * {@code com.acme.Order}.
 *
 * @param element the name without its dimensions; {@code int}, {@code byte}… if it is primitive
 * @param dimensions of the array; 0 if it is none
 */
record ClassName(String element, int dimensions) {
  /** What the class file format allows. */
  private static final int MAX_DIMENSIONS = 255;

  /** Of a printed name; longer ones are cut. */
  private static final int MAX_PRINTED = 200;

  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "byte", byte.class,
          "char", char.class,
          "short", short.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class,
          "void", void.class);

  private static final Map<Character, String> CODES =
      Map.of(
          'Z', "boolean", 'B', "byte", 'C', "char", 'S', "short", 'I', "int", 'J', "long", 'F',
          "float", 'D', "double");

  /** Takes a name apart; null if it is none. */
  static @Nullable ClassName of(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    String rest = name.substring(dimensions);
    if (dimensions == 0) {
      return rest.isEmpty() ? null : new ClassName(rest, 0);
    }
    if (dimensions > MAX_DIMENSIONS || rest.isEmpty()) {
      return null;
    }
    if (rest.length() == 1) {
      String primitive = CODES.get(rest.charAt(0));
      return primitive == null ? null : new ClassName(primitive, dimensions);
    }
    if (rest.charAt(0) != 'L' || !rest.endsWith(";") || rest.length() < 3) {
      return null;
    }
    return new ClassName(rest.substring(1, rest.length() - 1), dimensions);
  }

  /** The primitive class of the element, or null. */
  @Nullable Class<?> primitive() {
    return PRIMITIVES.get(element);
  }

  /** The array class of these dimensions. */
  Class<?> arrayOf(Class<?> elementClass) {
    Class<?> type = elementClass;
    for (int i = 0; i < dimensions; i++) {
      type = type.arrayType();
    }
    return type;
  }

  /** What the arrays are made of; the class itself if it is no array. */
  static Class<?> element(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    return element;
  }

  /** The package, empty if there is none. */
  static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  /** Whether the text can be the name of a class or package: identifiers between dots. */
  static boolean isValid(String text) {
    for (String part : text.split("\\.", -1)) {
      if (part.isEmpty()
          || !Character.isJavaIdentifierStart(part.codePointAt(0))
          || !isVisible(part)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isVisible(String part) {
    for (int i = 0; i < part.length(); i += Character.charCount(part.codePointAt(i))) {
      if (!isVisiblePart(part.codePointAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isVisiblePart(int codePoint) {
    return Character.isJavaIdentifierPart(codePoint) && !Character.isIdentifierIgnorable(codePoint);
  }

  /** The name as a log may have it: the stream's author chose it. */
  static String printable(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length() && i < MAX_PRINTED; i++) {
      char c = name.charAt(i);
      if (c > ' ' && c < 127) {
        text.append(c);
      } else {
        text.append(String.format("\\u%04x", (int) c));
      }
    }
    return name.length() > MAX_PRINTED ? text + "… (" + name.length() + " long)" : text.toString();
  }
}
