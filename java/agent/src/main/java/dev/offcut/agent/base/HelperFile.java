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
    newName = replace(constants.className(Bytes.u2(file, at)), texts).replace('/', '.');
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

  private byte[] copy(Map<String, String> texts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(2 * file.length);
    int copied = 0;
    for (int index = 1; index < constants.count(); index++) {
      if (constants.isClass(index)) {
        mention(constants.className(index));
      } else if (isOwn(index)) {
        byte[] text = replace(constants.text(index), texts).getBytes(StandardCharsets.ISO_8859_1);
        int at = constants.place(index) + 1;
        out.write(file, copied, at - copied);
        out.write(text.length >> 8);
        out.write(text.length);
        out.writeBytes(text);
        copied = at + 2 + Bytes.u2(file, at);
      }
    }
    out.write(file, copied, file.length - copied);
    return out.toByteArray();
  }

  /** Looks at the byte where the mark would end, and goes on as far as that one allows. */
  private boolean isOwn(int index) {
    if (!constants.isText(index)) {
      return false;
    }
    int from = constants.place(index) + 3;
    int last = from + Bytes.u2(file, from - 2) - 1;
    for (int at = from + OWN.length() - 1; at <= last; at += SKIPS[file[at] & 0x7f]) {
      if (file[at] == '/' && constants.isAt(at + 1 - OWN.length(), OWN)) {
        return true;
      }
    }
    return false;
  }

  private void mention(String name) {
    if (name.contains(OWN)) {
      mentioned.add(name);
    }
  }

  /** Replaces all names of ours that have something in their place. */
  private static String replace(String text, Map<String, String> texts) {
    StringBuilder replaced = new StringBuilder();
    int copied = 0;
    for (int at = text.indexOf(OWN); at >= 0; at = text.indexOf(OWN, copied)) {
      int end = at + OWN.length();
      while (end < text.length() && isPart(text.charAt(end))) {
        end++;
      }
      String name = text.substring(at, end);
      replaced.append(text, copied, at).append(texts.getOrDefault(name, name));
      copied = end;
    }
    return replaced.append(text, copied, text.length()).toString();
  }

  /** Whether a name goes on: up to a nested class, or to the end of a type. */
  private static boolean isPart(char c) {
    return c != '$' && c != ';' && c != '<';
  }
}
