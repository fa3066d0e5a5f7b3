package dev.offcut.agent.hooks.code;

/**
 * The constants of a class file: where each is, and those that are added behind them. Names and
 * types are texts; a constant is found by the texts that it leads to.
 *
 * <p>The format: JVM specification, 4.4. Not for several threads.
 */
public final class Constants {
  static final int TEXT = 1;
  static final int CLASS = 7;
  static final int METHOD = 10;

  private static final int FIRST = 10;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int FIELD = 9;
  private static final int MEMBER = 12;

  /** Bytes of a constant, by its kind, of a text without its characters; 0: there is none. */
  static final byte[] SIZES = {0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3};

  /** Where each constant is, by its index; 0 where none is. */
  private final int[] places;

  /** The constants of a kind, and texts of about the same length, as a chain. */
  private final int[] heads = new int[64];

  private final int[] next;

  private final byte[] file;
  private final int end;
  private final ByteWriter added = new ByteWriter(1024);
  private int count;

  private Constants(byte[] file) throws UnknownShapeException {
    this.file = file;
    count = BigEndian.u2(file, 8);
    places = new int[count];
    next = new int[count];
    int at = FIRST;
    for (int index = 1; index < count; index++) {
      // Without calls: all constants of some ten classes are read at the start of a program.
      int tag = file[at];
      int length = tag >= 0 && tag < SIZES.length ? SIZES[tag] : 0;
      int chain = tag;
      if (tag == TEXT) {
        int text = ((file[at + 1] & 0xff) << 8) | (file[at + 2] & 0xff);
        length += text;
        chain = 32 + (text & 31);
      } else if (length == 0) {
        throw new UnknownShapeException("not readable: a constant of kind " + tag);
      }
      places[index] = at;
      next[index] = heads[chain];
      heads[chain] = index;
      at += length;
      if (tag == LONG || tag == DOUBLE) {
        index++;
      }
    }
    end = at;
  }

  /** Reads those of a class file. */
  public static Constants of(byte[] file) throws UnknownShapeException {
    return new Constants(file);
  }

  private static int chain(int tag, int length) {
    return tag == TEXT ? 32 + (length & 31) : tag;
  }

  /** How many indices there are, from 0 on; a long takes two. */
  public int count() {
    return count;
  }

  /** Whether a class is at an index. */
  public boolean isClass(int index) {
    return file[places[index]] == CLASS;
  }

  /** Whether a text is at an index. */
  public boolean isText(int index) {
    return file[places[index]] == TEXT;
  }

  /** Where the constants end in the file. */
  public int end() {
    return end;
  }

  /** The first constant of a kind; a text's length is part of it. */
  private int first(int tag, int length) {
    return heads[chain(tag, length)];
  }

  /** Where the text at an index begins in the file; before it stands its length, two bytes. */
  public int textFrom(int index) {
    return places[index] + 3;
  }

  /** Behind its last byte. */
  public int textTo(int index) {
    int from = textFrom(index);
    return from + BigEndian.u2(file, from - 2);
  }

  /** The text at an index: each byte a character, by the JDK's shortest way. */
  @SuppressWarnings("deprecation")
  public String text(int index) {
    int from = textFrom(index);
    return new String(file, 0, from, textTo(index) - from);
  }

  /** Whether the text at an index is this one. */
  boolean isText(int index, String text) {
    if (index >= places.length) {
      return false; // one that was added
    }
    int at = places[index];
    int length = text.length();
    return file[at] == TEXT
        && file[at + 1] == (byte) (length >> 8)
        && file[at + 2] == (byte) length
        && isAt(at + 3, text);
  }

  /** Whether this text is at a place of the file. */
  public boolean isAt(int at, String text) {
    // From the end: that is where names differ.
    for (int i = text.length() - 1; i >= 0; i--) {
      if (file[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The index of the text that is the name of the class at an index. */
  public int classText(int index) {
    return BigEndian.u2(file, places[index] + 1);
  }

  /** The name of the class at an index. */
  public String className(int index) {
    return text(classText(index));
  }

  /** Whether the method, or field, at an index is this one. */
  boolean isMember(int index, String owner, String name, String type) {
    int at = places[index];
    return isText(classText(BigEndian.u2(file, at + 1)), owner)
        && isNameAndType(BigEndian.u2(file, at + 3), name, type);
  }

  private boolean isNameAndType(int index, String name, String type) {
    int at = places[index];
    return isText(BigEndian.u2(file, at + 1), name) && isText(BigEndian.u2(file, at + 3), type);
  }

  /** Whether the method at an index, as it was read, is a constructor. */
  boolean isInitializer(int index) {
    return index < places.length
        && isText(BigEndian.u2(file, places[BigEndian.u2(file, places[index] + 3)] + 1), "<init>");
  }

  /** The name of the class of the field or method at an index, as it was read. */
  String owner(int index) {
    return className(BigEndian.u2(file, places[index] + 1));
  }

  /** The field or the method at an index, as text; nothing for one that was added. */
  String member(int index) {
    if (index >= places.length) {
      return "";
    }
    int at = places[index];
    int member = places[BigEndian.u2(file, at + 3)];
    String type = text(BigEndian.u2(file, member + 3));
    return className(BigEndian.u2(file, at + 1))
        + "."
        + text(BigEndian.u2(file, member + 1))
        + (type.startsWith("(") ? "" : " ")
        + type;
  }

  /** Name and type of the method at an index, if it belongs to the class; else nothing. */
  String ownMethod(int index, String owner) {
    int at = places[index];
    if (!isText(classText(BigEndian.u2(file, at + 1)), owner)) {
      return "";
    }
    int member = places[BigEndian.u2(file, at + 3)];
    return text(BigEndian.u2(file, member + 1)) + text(BigEndian.u2(file, member + 3));
  }

  /** The index of a method of a class, 0 if it is not named. It must not be named twice. */
  int method(String owner, String name, String type) throws UnknownShapeException {
    int found = 0;
    for (int index = first(METHOD, 0); index != 0; index = next[index]) {
      if (isMember(index, owner, name, type)) {
        if (found != 0) {
          throw new UnknownShapeException(name + type + " is named twice");
        }
        found = index;
      }
    }
    return found;
  }

  /** Adds a text, or finds it. */
  int add(String text) {
    for (int index = first(TEXT, text.length()); index != 0; index = next[index]) {
      if (isText(index, text)) {
        return index;
      }
    }
    added.write(TEXT);
    added.text(text);
    return count++;
  }

  /** Adds a class. */
  public int addClass(String name) {
    int text = add(name);
    return add(CLASS, text, -1);
  }

  /** Adds a method of a class. */
  public int addMethod(String owner, String name, String type) {
    return add(METHOD, addClass(owner), addNameAndType(name, type));
  }

  /** Adds a field of a class. */
  public int addField(String owner, String name, String type) {
    return add(FIELD, addClass(owner), addNameAndType(name, type));
  }

  private int addNameAndType(String name, String type) {
    return add(MEMBER, add(name), add(type));
  }

  private int add(int tag, int first, int second) {
    added.write(tag);
    added.u2(first);
    if (second >= 0) {
      added.u2(second);
    }
    return count++;
  }

  /** Writes the file up to the end of the constants. */
  void write(ByteWriter out) {
    if (count > 0xffff) {
      throw new IllegalStateException(count + " constants are too many");
    }
    out.write(file, 0, 8);
    out.u2(count);
    out.write(file, FIRST, end - FIRST);
    out.writeBytes(added.toByteArray());
  }
}
