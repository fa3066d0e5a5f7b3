package dev.offcut.objectstream;

import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamException;
import java.io.ObjectStreamField;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lies in what, and what each reference stands for: an ObjectInputStream tells nobody before
 * the collection around an object has hashed it. So this follows the codes that it takes.
 *
 * <p>It takes the code of each object by a read of one byte, and everything else by reads of
 * arrays; but for the bytes of class descriptors, which it reads between {@link #beginDescriptor}
 * and {@link #endDescriptor}, and those of the first version of {@code Externalizable}, which is
 * refused. A JDK that did otherwise would fail {@link #read} at once: every stream would be
 * refused.
 *
 * <pre>
 *  code of an object ─▶ DESCRIPTOR ─▶ ANNOTATION ─┐         one frame an object that is being read
 *                           ▲      objects, end   │
 *                           └─────────────────────┤
 *                     no superclass, or one known ▼
 *                             (of an enum: NAME ─▶) CONTENT ─▶ read: the frame around gets a child
 * </pre>
 *
 * <p>Invariant: {@code handles} has the size that the stream's own table of handles has. It would
 * not hold after an exception in the middle of an object; so nothing may be read after one, even if
 * a class has swallowed it.
 */
final class Nesting {
  private enum Part {
    /** A class descriptor, or that of its superclass, is next. */
    DESCRIPTOR,
    /** What stands between a descriptor and that of its superclass; mostly nothing. */
    ANNOTATION,
    /** That of a constant of an enum is next: a string, but no object. */
    NAME,
    CONTENT
  }

  /** An object that is being read. */
  private static final class Frame {
    final int code;
    final Frame around;
    Part part = Part.DESCRIPTOR;
    int handle = -1;

    /** As the stream counts it; 0 before it has asked its filter. */
    long depth;

    /** Objects that the stream had in it so far, over all levels. */
    long parts;

    /** The most collections that lie in one another in one of them. */
    int height;

    /** Places of the table that it has made for itself. */
    long places;

    @Nullable Described type;

    /** The superclass that was described last. */
    @Nullable Described last;

    @Nullable Keys keys;

    Frame(int code, @Nullable Frame around) {
      this.code = code;
      this.around = around == null ? this : around;
    }
  }

  private final Work work;
  private final Expansion expansion;
  private final Frame root = new Frame(-1, null);

  /** By handle: the object, null while it is read, or a {@link Described}. */
  private final List<@Nullable Object> handles = new ArrayList<>();

  private Frame top = root;
  private int descriptor = -1;
  private boolean inDescriptor;
  private int flags = -1;
  private int lastBytes;

  Nesting(Limits limits) {
    work = new Work(limits);
    expansion = new Expansion(limits, work);
    root.part = Part.CONTENT;
  }

  /** So many bytes have been taken from the input. */
  void bytes(long taken) {
    work.bytes(taken);
  }

  /** The stream has taken a byte by itself. */
  void code(int code) throws ObjectStreamException {
    if (inDescriptor) {
      codeInDescriptor(code);
      return;
    }
    switch (code) {
      case ObjectStreamConstants.TC_NULL -> noObject();
      case ObjectStreamConstants.TC_CLASSDESC, ObjectStreamConstants.TC_PROXYCLASSDESC ->
          descriptor(code);
      case ObjectStreamConstants.TC_ENDBLOCKDATA -> {
        if (top.part == Part.ANNOTATION) {
          top.part = Part.DESCRIPTOR;
        }
      }
      case ObjectStreamConstants.TC_STRING, ObjectStreamConstants.TC_LONGSTRING -> text(code);
      case ObjectStreamConstants.TC_OBJECT,
          ObjectStreamConstants.TC_ARRAY,
          ObjectStreamConstants.TC_ENUM,
          ObjectStreamConstants.TC_CLASS ->
          top = new Frame(code, top);
      case ObjectStreamConstants.TC_RESET, ObjectStreamConstants.TC_EXCEPTION -> {
        handles.clear();
        top = root;
      }
      default -> {} // data of blocks, or nothing that the stream will take
    }
  }

  /** Codes of fields are other letters; their types are strings, which get handles. */
  private void codeInDescriptor(int code) {
    if (flags < 0) {
      flags = code;
    } else if (code == ObjectStreamConstants.TC_STRING
        || code == ObjectStreamConstants.TC_LONGSTRING) {
      newHandle();
    }
  }

  private void noObject() throws ObjectStreamException {
    if (top.part == Part.DESCRIPTOR) {
      endDescriptors();
    } else {
      child(null);
    }
  }

  private void descriptor(int code) {
    if (top.part != Part.DESCRIPTOR) {
      top = new Frame(code, top); // for its own sake
    }
    descriptor = newHandle();
    top.part = Part.ANNOTATION;
  }

  private void text(int code) {
    int handle = newHandle();
    if (top.part != Part.NAME) {
      top = new Frame(code, top);
      top.handle = handle;
    }
    top.part = Part.CONTENT;
  }

  private int newHandle() {
    handles.add(null);
    return handles.size() - 1;
  }

  /** The stream has taken bytes in an array. */
  void data(byte[] bytes, int from, int count) {
    for (int i = Math.max(0, count - Integer.BYTES); i < count; i++) {
      lastBytes = lastBytes << Byte.SIZE | (bytes[from + i] & 0xff);
    }
    if (top.keys != null) {
      top.keys.data(bytes, from, count);
    }
  }

  void beginDescriptor() {
    inDescriptor = true;
    flags = -1;
  }

  void endDescriptor() {
    inDescriptor = false;
  }

  /** The class of the descriptor that was read last. */
  void describe(ObjectStreamClass read, Class<?> type) throws InvalidClassException {
    if ((flags & ObjectStreamConstants.SC_EXTERNALIZABLE) != 0
        && (flags & ObjectStreamConstants.SC_BLOCK_DATA) == 0) {
      throw new InvalidClassException(
          type.getName(),
          "an Externalizable object in the format of Java 1.1, without block data; no newer JDK"
              + " writes it by itself: refuse whoever sent it");
    }
    Keys.checkDescriptor(read);
    int objectFields = 0;
    for (ObjectStreamField field : read.getFields()) {
      objectFields += field.isPrimitive() ? 0 : 1;
    }
    describe(new Described(type, objectFields));
  }

  /** The class of the proxy descriptor that was read last. */
  void describeProxy(Class<?> type) throws InvalidClassException {
    describe(new Described(type, 0));
  }

  private void describe(Described described) throws InvalidClassException {
    handles.set(descriptor, described);
    addClass(described);
  }

  private void addClass(Described described) throws InvalidClassException {
    if (top.last == null) {
      top.type = described;
    } else {
      top.last.extend(described);
    }
    top.last = described;
  }

  private void endDescriptors() throws ObjectStreamException {
    if (top.type != null) {
      top.type.end();
    }
    top.part = Part.CONTENT;
    switch (top.code) {
      case ObjectStreamConstants.TC_CLASSDESC, ObjectStreamConstants.TC_PROXYCLASSDESC ->
          read(null);
      case ObjectStreamConstants.TC_CLASS -> {
        top.handle = newHandle();
        read(top.type == null ? null : top.type.type);
      }
      case ObjectStreamConstants.TC_ENUM -> {
        top.handle = newHandle();
        top.part = Part.NAME;
      }
      default -> {
        top.handle = newHandle();
        top.keys = top.type == null ? null : top.type.keys(expansion, work);
      }
    }
  }

  /** The stream asks its filter, at this depth, about something that gets a frame, or has one. */
  void asked(long depth) throws StreamCorruptedException {
    if (top != root && top.depth == 0) {
      top.depth = depth;
      checkWithin(top.around, depth);
    }
  }

  private void checkWithin(Frame around, long depth) throws StreamCorruptedException {
    if (around != root && (around.depth == 0 || around.depth >= depth)) {
      throw new StreamCorruptedException(
          "a class swallowed an exception in the middle of an object and read on; the limits cannot"
              + " be checked after this point");
    }
  }

  /** The stream has looked up the handle in the bytes that it took last, at this depth. */
  void reference(long depth) throws ObjectStreamException {
    if (inDescriptor) {
      return;
    }
    int handle = lastBytes - ObjectStreamConstants.baseWireHandle;
    if (handle < 0 || handle >= handles.size()) {
      throw outOfStep();
    }
    Object target = handles.get(handle);
    if (top.part == Part.DESCRIPTOR) {
      if (target instanceof Described described && described.isWhole) {
        addClass(described);
      }
      endDescriptors();
    } else if (top.part == Part.NAME) {
      top.part = Part.CONTENT;
    } else {
      checkWithin(top, depth);
      if (target == null) {
        childBeingRead(handle);
      } else {
        child(target);
      }
    }
  }

  private void childBeingRead(int handle) throws ObjectStreamException {
    Frame read = top;
    while (read != root && read.handle != handle) {
      read = read.around;
    }
    top.parts++;
    if (top.keys != null) {
      top.keys.beingRead(read.type == null ? null : read.type.type);
    }
  }

  /** A table of this length is about to be made, by a collection for itself. */
  void table(long length) {
    if (top.keys != null) {
      top.keys.table(length);
      top.places = Math.max(top.places, length);
    }
  }

  /** The object of the innermost frame has been read, and is about to go into the one around. */
  void read(@Nullable Object object) throws ObjectStreamException {
    if (top == root || top.part != Part.CONTENT) {
      throw outOfStep();
    }
    expansion.read(object, top.parts, top.height, top.places);
    Frame read = top;
    top = top.around;
    if (read.handle >= 0) {
      handles.set(read.handle, object);
    }
    top.parts += read.parts;
    child(object);
  }

  private void child(@Nullable Object object) throws ObjectStreamException {
    if (top.part != Part.CONTENT) {
      return; // in an annotation, which nobody keeps
    }
    top.parts++;
    if (object != null) {
      top.height = Math.max(top.height, expansion.height(object));
    }
    if (top.keys != null) {
      top.keys.child(object);
    }
  }

  private static StreamCorruptedException outOfStep() {
    return new StreamCorruptedException(
        "the codes of the stream and the objects of the JDK do not match, so the limits cannot be"
            + " checked; if every stream ends like this, this JDK is not supported");
  }
}
