package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * A profile of places, as {@code profile.proto} of Go's pprof describes it: what was opened, what
 * is held (open or lost), what is lost. Viewers show the bytes held unless asked otherwise.
 */
final class Pprof {
  /** {@code package.Class.method(File.java:12)}. */
  private static final Pattern FRAME = Pattern.compile("(.*)\\(([^:()]*)(?::(\\d+))?\\)");

  private static final String DEFAULT_TYPE = "inuse_space";

  private record Line(String function, String file, long number) {}

  private record Function(String name, String file) {}

  private final ProtoBytes profile = new ProtoBytes();
  private final Map<String, Long> texts = new LinkedHashMap<>();
  private final Map<Function, Long> functions = new LinkedHashMap<>();
  private final Map<Line, Long> locations = new LinkedHashMap<>();

  private Pprof() {
    text(""); // the first has to be
  }

  static byte[] of(Digest digest) {
    Pprof pprof = new Pprof();
    pprof.types();
    digest.sites().forEach(pprof::samples);
    pprof.tables(digest.target());
    return zipped(pprof.profile.toByteArray());
  }

  private void types() {
    type("alloc_objects", "count");
    type("inuse_objects", "count");
    type(DEFAULT_TYPE, "bytes");
    type("lost_objects", "count");
    type("lost_space", "bytes");
  }

  private void type(String name, String unit) {
    profile.message(1, new ProtoBytes().number(1, text(name)).number(2, text(unit)));
  }

  /** Each way to a line is a stack of its own; the line is a label of all of them. */
  private void samples(Digest.Site site) {
    for (Digest.Path path : site.ways()) {
      long[] stack = path.frames().stream().mapToLong(frame -> location(line(frame))).toArray();
      ProtoBytes sample =
          new ProtoBytes()
              .packed(1, stack)
              .packed(
                  2,
                  path.opened(),
                  path.open() + path.lost(),
                  path.bytes() + path.lostBytes(),
                  path.lost(),
                  path.lostBytes())
              .message(3, label("kind", site.kind()));
      if (site.at().isKnown()) {
        sample.message(3, label("line", site.at().own()));
      }
      profile.message(2, sample);
    }
  }

  private ProtoBytes label(String key, String value) {
    return new ProtoBytes().number(1, text(key)).number(2, text(value));
  }

  private static Line line(String frame) {
    Matcher parts = FRAME.matcher(frame);
    if (!parts.matches()) {
      return new Line(frame, "", 0);
    }
    String number = parts.group(3);
    return new Line(parts.group(1), parts.group(2), number == null ? 0 : Long.parseLong(number));
  }

  private long location(Line line) {
    long id = locations.size() + 1L;
    Long known = locations.putIfAbsent(line, id);
    if (known != null) {
      return known;
    }
    long function = function(new Function(line.function(), line.file()));
    ProtoBytes its = new ProtoBytes().number(1, function).number(2, line.number());
    profile.message(4, new ProtoBytes().number(1, id).message(4, its));
    return id;
  }

  private long function(Function function) {
    long id = functions.size() + 1L;
    Long known = functions.putIfAbsent(function, id);
    if (known != null) {
      return known;
    }
    long name = text(function.name());
    profile.message(
        5,
        new ProtoBytes()
            .number(1, id)
            .number(2, name)
            .number(3, name)
            .number(4, text(function.file())));
    return id;
  }

  private long text(String text) {
    return texts.computeIfAbsent(text, made -> (long) texts.size());
  }

  private void tables(Digest.Target target) {
    long defaultType = text(DEFAULT_TYPE);
    List.copyOf(texts.keySet()).forEach(text -> profile.text(6, text));
    if (!target.started().isEmpty()) {
      Instant started = Instant.parse(target.started());
      profile.number(9, started.getEpochSecond() * 1_000_000_000L + started.getNano());
    }
    profile.number(10, Duration.ofMillis(Math.round(target.seconds() * 1000)).toNanos());
    profile.number(14, defaultType);
  }

  private static byte[] zipped(byte[] bytes) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory takes everything
    }
    return zipped.toByteArray();
  }

  /** A message in the wire format of Protocol Buffers, as far as profiles use it. */
  static final class ProtoBytes {
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
}
