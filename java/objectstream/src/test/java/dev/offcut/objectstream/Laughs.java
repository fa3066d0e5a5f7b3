package dev.offcut.objectstream;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Sets of sets that could not be made, since nobody lives to see their hash. Lists stand for them
 * while they are written, and are written as sets.
 */
final class Laughs {
  private Laughs() {}

  /** Levels of two sets, each of which holds both of the next level. */
  static byte[] sets(int levels) {
    Content left = new Content(new ArrayList<>(List.of("a")));
    Content right = new Content(new ArrayList<>(List.of("b")));
    for (int i = 0; i < levels; i++) {
      Content newLeft = new Content(new ArrayList<>(List.of(left, right)));
      right = new Content(new ArrayList<>(List.of(left, right, "x")));
      left = newLeft;
    }
    return write(left, false);
  }

  /** The same, as keys of maps. */
  static byte[] mapKeys(int levels) {
    Content left = new Content(new ArrayList<>(List.of("a")));
    Content right = new Content(new ArrayList<>(List.of("b")));
    for (int i = 0; i < levels; i++) {
      Content newLeft = new Content(new ArrayList<>(List.of(left, right)));
      right = new Content(new ArrayList<>(List.of(left, right, "x")));
      left = newLeft;
    }
    return write(left, true);
  }

  /** A = {B, C}, B = {A}, C = {A}: hashing A for C hashes B, which hashes A. */
  static byte[] circle() {
    Content a = new Content(new ArrayList<>());
    a.elements.add(new Content(new ArrayList<>(List.of(a, "b"))));
    a.elements.add(new Content(new ArrayList<>(List.of(a, "c"))));
    return write(a, false);
  }

  /** {@code Collections.unmodifiableCollection(null)}. */
  static byte[] wrapperOfNull() {
    return Streams.byHand(
        out -> {
          out.writeByte(ObjectStreamConstants.TC_OBJECT);
          Streams.describe(
              out, "java.util.Collections$UnmodifiableCollection", 1820017752578914078L);
        });
  }

  private record Content(List<Object> elements) implements Serializable {}

  /** By hand: handles are counted as the reader counts them. */
  private static byte[] write(Content root, boolean asMaps) {
    return Streams.byHand(out -> new Writer(out, asMaps).object(root));
  }

  private static final class Writer {
    private final DataOutputStream out;
    private final boolean asMaps;
    private final IdentityHashMap<Content, Integer> handles = new IdentityHashMap<>();
    private int next = ObjectStreamConstants.baseWireHandle;
    private int descriptor = -1;

    Writer(DataOutputStream out, boolean asMaps) {
      this.out = out;
      this.asMaps = asMaps;
    }

    void object(Object object) throws IOException {
      if (object instanceof String text) {
        out.writeByte(ObjectStreamConstants.TC_STRING);
        out.writeUTF(text);
        next++;
        return;
      }
      Content content = (Content) object;
      Integer handle = handles.get(content);
      if (handle != null) {
        reference(handle);
        return;
      }
      out.writeByte(ObjectStreamConstants.TC_OBJECT);
      descriptor();
      handles.put(content, next++);
      begin(content.elements.size());
      for (Object element : content.elements) {
        object(element);
        if (asMaps) {
          out.writeByte(ObjectStreamConstants.TC_NULL);
        }
      }
      out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    }

    private void reference(int handle) throws IOException {
      out.writeByte(ObjectStreamConstants.TC_REFERENCE);
      out.writeInt(handle);
    }

    private void descriptor() throws IOException {
      if (descriptor >= 0) {
        reference(descriptor);
        return;
      }
      Class<?> type = asMaps ? HashMap.class : HashSet.class;
      descriptor = next++;
      out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
      out.writeUTF(type.getName());
      out.writeLong(ObjectStreamClass.lookup(type).getSerialVersionUID());
      out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD);
      out.writeShort(0);
      out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
      out.writeByte(ObjectStreamConstants.TC_NULL);
    }

    private void begin(int size) throws IOException {
      out.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
      out.writeByte(asMaps ? 8 : 12);
      out.writeInt(16); // capacity, or buckets
      if (!asMaps) {
        out.writeFloat(0.75f);
      }
      out.writeInt(size);
    }
  }
}
