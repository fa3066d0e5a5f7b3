package dev.offcut.agent.base;

import dev.offcut.agent.code.Bytes;
import dev.offcut.agent.code.Constants;
import dev.offcut.agent.code.UnknownShapeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A class file in which texts are replaced: names of classes, and what else is ours.
 *
 * <p>All names stand in its constants, as texts, within descriptors and signatures too. So the
 * texts are replaced and the rest is copied.
 */
final class HelperFile {
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
    newName = newName(constants.classText(Bytes.u2(file, at)), texts).replace('/', '.');
    supertypes.add(constants.className(Bytes.u2(file, at + 2)));
    int interfaces = Bytes.u2(file, at + 4);
    for (int i = 0; i < interfaces; i++) {
      supertypes.add(constants.className(Bytes.u2(file, at + 6 + 2 * i)));
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
   * Where the next mark is, or the end. Looks at the byte where the mark would end, and goes on as
   * far as that one allows.
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
      copied = endOfName(at + OWN.length(), end);
      String name = new String(file, at, copied - at, StandardCharsets.ISO_8859_1);
      text.writeBytes(texts.getOrDefault(name, name).getBytes(StandardCharsets.ISO_8859_1));
    }
    text.write(file, copied, end - copied);
    return text.toByteArray();
  }

  /** A name goes on up to a nested class, or to the end of a type. */
  private int endOfName(int from, int end) {
    int at = from;
    while (at < end && file[at] != '$' && file[at] != ';' && file[at] != '<') {
      at++;
    }
    return at;
  }
}
