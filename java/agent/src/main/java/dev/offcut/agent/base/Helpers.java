package dev.offcut.agent.base;

import dev.offcut.agent.code.BigEndian;
import dev.offcut.agent.code.Constants;
import dev.offcut.agent.code.UnknownShapeException;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The class files of some helpers, and of the classes nested in them, under their new names. */
final class Helpers {
  /** What is replaced, with what: the names of the outermost classes among it. */
  private final Map<String, String> replaced = new LinkedHashMap<>();

  private final Map<String, HelperFile> files = new LinkedHashMap<>();
  private final Map<String, byte[]> ordered = new LinkedHashMap<>();

  private Helpers() {}

  /**
   * The class files by their new binary names, each after those it extends. Other texts may be
   * replaced, too: internal names of stand-ins, which are classes to compile against, by those of
   * the classes they stand for, and settings by their values.
   *
   * @param helpers the internal names, each with a class beside which its file lies
   */
  static Map<String, byte[]> read(
      Class<?> neighbour, Map<String, String> texts, Map<String, Class<?>> helpers)
      throws IOException {
    Helpers all = new Helpers();
    all.replaced.putAll(texts);
    for (String helper : helpers.keySet()) {
      all.replaced.put(helper, newName(neighbour, helper));
    }
    for (Map.Entry<String, Class<?>> helper : helpers.entrySet()) {
      all.gather(helper.getValue(), helper.getKey());
    }
    for (String name : all.files.keySet()) {
      all.order(name);
    }
    return all.ordered;
  }

  /** The new internal name of an outermost class, in the package of its neighbour. */
  static String newName(Class<?> neighbour, String helper) {
    String simple = helper.substring(helper.lastIndexOf('/') + 1);
    return neighbour.getPackageName().replace('.', '/') + "/Offcut" + simple;
  }

  static String internalName(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  /** The class file of a class with this internal name, which lies where its neighbour does. */
  static byte[] file(Class<?> neighbour, String name) throws IOException {
    ClassLoader loader = Objects.requireNonNull(neighbour.getClassLoader());
    try (InputStream file = loader.getResourceAsStream(name + ".class")) {
      if (file == null) {
        throw new FileNotFoundException(name);
      }
      return file.readAllBytes();
    }
  }

  private void gather(Class<?> helper, String name) throws IOException {
    if (files.containsKey(name)) {
      return;
    }
    HelperFile file = HelperFile.read(file(helper, name), replaced);
    files.put(name, file);
    for (String mentioned : file.mentioned) {
      if (mentioned.startsWith(name + "$")) {
        gather(helper, mentioned);
      }
    }
  }

  private void order(String name) {
    HelperFile file = files.get(name);
    if (file == null || ordered.containsKey(file.newName)) {
      return;
    }
    for (String supertype : file.supertypes) {
      order(supertype);
    }
    ordered.put(file.newName, file.bytes);
  }

  /**
   * A class file in which texts are replaced: names of classes, and what else is ours.
   *
   * <p>All names stand in its constants, as texts, within descriptors and signatures too. So the
   * texts are replaced and the rest is copied.
   */
  static final class HelperFile {
    /** In all that is replaced. */
    private static final String OWN = "dev/offcut/";

    /** By a character: how far the end of the next mark is from it, at least. */
    private static final byte[] SKIPS = new byte[128];

    static {
      Arrays.fill(SKIPS, (byte) OWN.length());
      for (int i = 0; i < OWN.length() - 1; i++) {
        SKIPS[OWN.charAt(i)] = (byte) (OWN.length() - 1 - i);
      }
    }

    /** The binary name of the class, after the replacement. */
    final String newName;

    /** The class file, after the replacement. */
    final byte[] bytes;

    /** The internal names of those of ours that it extends, before the replacement. */
    final List<String> supertypes = new ArrayList<>();

    /** The internal names of all classes of ours that it names, before the replacement. */
    final List<String> mentioned = new ArrayList<>();

    private final byte[] file;
    private final Constants constants;

    private HelperFile(byte[] file, Map<String, String> texts) throws UnknownShapeException {
      this.file = file;
      constants = Constants.of(file);
      bytes = copy(texts);
      int at = constants.end() + 2;
      newName = newName(constants.classText(BigEndian.u2(file, at)), texts).replace('/', '.');
      supertypes.add(constants.className(BigEndian.u2(file, at + 2)));
      int interfaces = BigEndian.u2(file, at + 4);
      for (int i = 0; i < interfaces; i++) {
        supertypes.add(constants.className(BigEndian.u2(file, at + 6 + 2 * i)));
      }
    }

    /** Reads a class file and replaces texts, and with names those of classes nested in theirs. */
    static HelperFile read(byte[] file, Map<String, String> texts) throws IOException {
      try {
        return new HelperFile(file, texts);
      } catch (UnknownShapeException | IndexOutOfBoundsException e) {
        throw new IOException("no class file", e);
      }
    }

    private String newName(int text, Map<String, String> texts) {
      int from = constants.textFrom(text);
      int to = constants.textTo(text);
      byte[] name = replaced(from, own(from, to), to, texts);
      return new String(name, StandardCharsets.ISO_8859_1);
    }

    private byte[] copy(Map<String, String> texts) {
      ByteArrayOutputStream out = new ByteArrayOutputStream(2 * file.length);
      int copied = 0;
      for (int index = 1; index < constants.count(); index++) {
        if (constants.isClass(index)) {
          mention(constants.classText(index));
        } else if (constants.isText(index)) {
          int from = constants.textFrom(index);
          int to = constants.textTo(index);
          int own = own(from, to);
          if (own < to) {
            byte[] text = replaced(from, own, to, texts);
            out.write(file, copied, from - 2 - copied);
            out.write(text.length >> 8);
            out.write(text.length);
            out.writeBytes(text);
            copied = to;
          }
        }
      }
      out.write(file, copied, file.length - copied);
      return out.toByteArray();
    }

    private void mention(int text) {
      int to = constants.textTo(text);
      if (own(constants.textFrom(text), to) < to) {
        mentioned.add(constants.text(text));
      }
    }

    /**
     * Where the next mark is, or the end. Looks at the byte where the mark would end, and goes on
     * as far as that one allows.
     */
    private int own(int from, int end) {
      for (int at = from + OWN.length() - 1; at < end; at += SKIPS[file[at] & 0x7f]) {
        if (file[at] == '/' && constants.isAt(at + 1 - OWN.length(), OWN)) {
          return at + 1 - OWN.length();
        }
      }
      return end;
    }

    /** A text, with all names of ours that have something in their place replaced. */
    private byte[] replaced(int from, int own, int end, Map<String, String> texts) {
      ByteArrayOutputStream text = new ByteArrayOutputStream(end - from + 64);
      int copied = from;
      for (int at = own; at < end; at = own(copied, end)) {
        text.write(file, copied, at - copied);
        String name = name(at, endOfName(at, end, true));
        String other = texts.get(name); // a stand-in
        if (other == null) {
          name = name(at, endOfName(at, end, false));
          other = texts.getOrDefault(name, name);
        }
        copied = at + name.length();
        text.writeBytes(other.getBytes(StandardCharsets.ISO_8859_1));
      }
      text.write(file, copied, end - copied);
      return text.toByteArray();
    }

    private String name(int from, int to) {
      return new String(file, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** A name goes on up to the end of a type, or to a nested class. */
    private int endOfName(int from, int end, boolean nested) {
      int at = from;
      while (at < end && (nested || file[at] != '$') && file[at] != ';' && file[at] != '<') {
        at++;
      }
      return at;
    }
  }
}
