package dev.offcut.agent.base;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A class file in which names of classes are replaced.
 *
 * <p>All names stand in its constant pool, as texts, within descriptors and signatures too. So the
 * texts are replaced and the rest is copied: that is done in no time, where taking the file apart
 * would slow the start of the program. The format: JVM specification, 4.1 and 4.4.
 */
final class HelperFile {
  /** In the names of all that is replaced. */
  private static final String OWN = "dev/offcut/";

  /** The binary name of the class, after the replacement. */
  final String newName;

  /** The class file, after the replacement. */
  final byte[] bytes;

  /** The internal names of what it extends, before the replacement. */
  final List<String> supertypes;

  /** The internal names of all classes it names, before the replacement. */
  final List<String> mentioned;

  private HelperFile(
      String newName, byte[] bytes, List<String> supertypes, List<String> mentioned) {
    this.newName = newName;
    this.bytes = bytes;
    this.supertypes = supertypes;
    this.mentioned = mentioned;
  }

  /** Reads a class file and replaces names, and with them those of classes nested in theirs. */
  static HelperFile read(InputStream file, Map<String, String> names) throws IOException {
    DataInputStream in = new DataInputStream(file);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(in.readNBytes(8)); // magic, version
    Pool pool = new Pool(in.readUnsignedShort());
    out.writeShort(pool.texts.length);
    for (int index = 1; index < pool.texts.length; index++) {
      index += pool.copy(index, in, out, names);
    }
    out.write(in.readNBytes(2)); // access
    String own = pool.copyClass(in, out);
    List<String> supertypes = new ArrayList<>(List.of(pool.copyClass(in, out)));
    int interfaces = in.readUnsignedShort();
    out.writeShort(interfaces);
    for (int i = 0; i < interfaces; i++) {
      supertypes.add(pool.copyClass(in, out));
    }
    in.transferTo(out);
    String newName = replace(own, names).replace('/', '.');
    return new HelperFile(newName, bytes.toByteArray(), supertypes, pool.classes());
  }

  private static String replace(String text, Map<String, String> names) {
    if (!text.contains(OWN)) {
      return text;
    }
    String replaced = text;
    for (Map.Entry<String, String> name : names.entrySet()) {
      replaced = replaced.replace(name.getKey(), name.getValue());
    }
    return replaced;
  }

  /** The constants, as far as they say names: texts, and classes by the index of their text. */
  private static final class Pool {
    private static final int TEXT = 1;
    private static final int CLASS = 7;

    final String[] texts;
    private final int[] classes;

    Pool(int size) {
      texts = new String[size];
      classes = new int[size];
    }

    /** Copies a constant; how many indices it takes beyond its own. */
    int copy(int index, DataInputStream in, DataOutputStream out, Map<String, String> names)
        throws IOException {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == TEXT) {
        texts[index] = in.readUTF();
        out.writeUTF(replace(texts[index], names));
      } else if (tag == CLASS) {
        classes[index] = in.readUnsignedShort();
        out.writeShort(classes[index]);
      } else {
        int length = length(tag);
        out.write(in.readNBytes(length));
        return length == 8 ? 1 : 0;
      }
      return 0;
    }

    private static int length(int tag) throws IOException {
      return switch (tag) {
        case 5, 6 -> 8; // long, double
        case 3, 4, 9, 10, 11, 12, 17, 18 -> 4; // int, float, members, names with types, dynamic
        case 15 -> 3; // method handle
        case 8, 16, 19, 20 -> 2; // string, method type, module, package
        default -> throw new IOException("unknown constant " + tag);
      };
    }

    /** Copies the index of a class; its name. */
    String copyClass(DataInputStream in, DataOutputStream out) throws IOException {
      int index = in.readUnsignedShort();
      out.writeShort(index);
      return texts[classes[index]];
    }

    List<String> classes() {
      List<String> names = new ArrayList<>();
      for (int text : classes) {
        if (text != 0) {
          names.add(texts[text]);
        }
      }
      return names;
    }
  }
}
