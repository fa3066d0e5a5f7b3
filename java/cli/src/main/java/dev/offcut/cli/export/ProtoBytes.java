package dev.offcut.cli.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A message in the wire format of Protocol Buffers, as far as profiles use it. */
final class ProtoBytes {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** A number. Zero is what readers take for one that is not there. */
  ProtoBytes number(int field, long value) {
    if (value != 0) {
      tag(field, VARINT);
      varint(value);
    }
    return this;
  }

  ProtoBytes message(int field, ProtoBytes message) {
    return delimited(field, message.toByteArray());
  }

  /** Also an empty one: in a table of texts each has its number. */
  ProtoBytes text(int field, String text) {
    return delimited(field, text.getBytes(StandardCharsets.UTF_8));
  }

  ProtoBytes packed(int field, long... values) {
    ProtoBytes packed = new ProtoBytes();
    for (long value : values) {
      packed.varint(value);
    }
    return delimited(field, packed.toByteArray());
  }

  private ProtoBytes delimited(int field, byte[] content) {
    tag(field, LENGTH_DELIMITED);
    varint(content.length);
    bytes.writeBytes(content);
    return this;
  }

  private void tag(int field, int wireType) {
    varint(((long) field << 3) | wireType);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
