package dev.offcut.command.read;

import dev.offcut.command.read.Sources.Reading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a run of one JVM: its tables, the accounts of its memory, who called malloc, what
 * holds open resources, how it ended, and on what machine. {@code spec/run-archive.md} has the
 * layout, {@code offcut.run/1}.
 */
public final class RunArchive {
  public static final String ENDING = ".offcut";

  private static final String SCHEMA = "offcut.run/1";
  private static final String CALLERS_SCHEMA = "offcut.native/2";
  private static final String HOLDERS_SCHEMA = "offcut.holders/1";
  private static final String RUN = "run.json";
  private static final String TABLES = "program.tables";
  private static final String ACCOUNTS = "accounts.json";
  private static final String CALLERS = "native.json";
  private static final String HOLDERS = "holders.json";

  private static final List<String> ENTRIES = List.of(RUN, TABLES, ACCOUNTS, CALLERS, HOLDERS);

  private static final byte[] MAGIC = {'P', 'K', 3, 4};

  /** Tables end at 64 MiB; a thousand accounts are smaller. */
  private static final int MOST_BYTES = 256 << 20;

  private RunArchive() {}

  /**
   * How a run ended.
   *
   * @param exitCode of the program; -1 if it is not known
   * @param wasFull whether the system killed a process of its control group meanwhile, because the
   *     group was full
   */
  public record End(int exitCode, boolean wasFull) {
    /** Of a JVM that something else started. */
    public static final End UNKNOWN = new End(-1, false);
  }

  /** The bytes of one. {@code tables}: as the agent left them. */
  public static byte[] of(Path tables, Outside outside, End end) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
      add(zip, RUN, run(end));
      add(zip, TABLES, Files.readAllBytes(tables));
      if (outside.accounts() != null) {
        add(zip, ACCOUNTS, AccountsFile.text(outside.accounts()));
      }
      if (outside.callers() != null) {
        add(zip, CALLERS, Json.text(CALLERS_SCHEMA, outside.callers()));
      }
      if (outside.holders() != null) {
        add(zip, HOLDERS, Json.text(HOLDERS_SCHEMA, outside.holders()));
      }
    }
    return bytes.toByteArray();
  }

  private static void add(ZipOutputStream zip, String name, String text) throws IOException {
    add(zip, name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  private static String run(End end) {
    Map<String, @Nullable Object> machine = new LinkedHashMap<>();
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("architecture", System.getProperty("os.arch"));
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    Map<String, @Nullable Object> run = new LinkedHashMap<>();
    run.put("schema", SCHEMA);
    run.put("offcut", Versions.own());
    run.put("written", Instant.now());
    if (end.exitCode() >= 0) {
      run.put("exitCode", end.exitCode());
    }
    run.put("containerWasFull", end.wasFull());
    run.put("machine", machine);
    return Json.text(run) + "\n";
  }

  static boolean isAt(Path file) {
    return Tables.beginsWith(file, MAGIC);
  }

  /** The one of the same run as a recording, or as tables; null without one. */
  static @Nullable Path beside(Path recording) {
    String name = String.valueOf(recording.getFileName());
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return null;
    }
    Path archive = recording.resolveSibling(name.substring(0, dot) + ENDING);
    return isAt(archive) ? archive : null;
  }

  /** What one says of how its program ended. {@code byItself}: false if it was killed. */
  record Ended(End end, boolean byItself) {
    Digest tell(Digest digest) {
      return end.exitCode() < 0 ? digest : digest.withEnd(end.exitCode(), end.wasFull());
    }
  }

  static Reading read(Path file) throws Failure {
    DigestBuilder builder = new DigestBuilder();
    Ended ended = read(file, builder);
    try {
      return new Reading(ended.tell(builder.digest(ended.byItself())), !ended.byItself());
    } catch (RuntimeException e) {
      throw Tables.damaged(file, e);
    }
  }

  static Ended read(Path file, DigestBuilder to) throws Failure {
    try (ZipFile zip = open(file)) {
      End end = end(file, zip);
      new Outside(
              part(file, zip, ACCOUNTS, AccountsFile::parse),
              part(file, zip, CALLERS, text -> record(NativeCallers.class, text, CALLERS_SCHEMA)),
              part(file, zip, HOLDERS, text -> record(Holders.class, text, HOLDERS_SCHEMA)))
          .tell(to);
      byte[] tables = entry(file, zip, TABLES);
      if (tables == null) {
        throw damaged(file, "it has no " + TABLES);
      }
      return new Ended(end, Tables.read(file, tables, to));
    } catch (ZipException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw Recordings.cannotRead(file, e);
    }
  }

  private interface Parser<T> {
    @Nullable T parse(String text) throws IOException;
  }

  private static <T extends Record> T record(Class<T> type, String text, String schema)
      throws IOException {
    return Json.record(type, Json.parse(text, schema));
  }

  private static <T> @Nullable T part(Path file, ZipFile zip, String name, Parser<T> parser)
      throws Failure, IOException {
    byte[] text = entry(file, zip, name);
    try {
      return text == null ? null : parser.parse(new String(text, StandardCharsets.UTF_8));
    } catch (IOException | DateTimeException | IllegalArgumentException e) {
      throw damaged(file, name + " holds nothing that this version knows");
    }
  }

  private static byte @Nullable [] entry(Path file, ZipFile zip, String name)
      throws Failure, IOException {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      return null;
    }
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] bytes = in.readNBytes(MOST_BYTES);
      if (bytes.length == MOST_BYTES) {
        throw damaged(file, name + " is larger than any such entry");
      }
      // The JDK compares neither of them when it reads a ZipFile.
      CRC32 sum = new CRC32();
      sum.update(bytes);
      if (sum.getValue() != entry.getCrc() || bytes.length != entry.getSize()) {
        throw damaged(file, "the checksum of " + name + " does not match its content");
      }
      return bytes;
    }
  }

  /** Opens one. A name that no archive has may be that of an entry which would be missed. */
  private static ZipFile open(Path file) throws Failure, IOException {
    ZipFile zip = new ZipFile(file.toFile());
    for (ZipEntry entry : Collections.list(zip.entries())) {
      if (zip.getEntry(RUN) != null && !ENTRIES.contains(entry.getName())) {
        zip.close();
        throw damaged(
            file, "it has an entry " + entry.getName() + ", which no archive of a run has");
      }
    }
    return zip;
  }

  private static End end(Path file, ZipFile zip) throws Failure, IOException {
    byte[] text = entry(file, zip, RUN);
    if (text == null) {
      throw Failure.unreadable(
          file + " is no archive of a run: it has no " + RUN + "; `offcut run` writes them");
    }
    Object run;
    try {
      run = Json.read(text);
    } catch (IOException e) {
      throw damaged(file, RUN + " is no JSON that this version knows");
    }
    Map<?, ?> members = run instanceof Map<?, ?> all ? all : Map.of();
    String schema = members.get("schema") instanceof String form ? form : "";
    if (!schema.equals(SCHEMA)) {
      throw Failure.unreadable(
          "%s is %s, this reads %s; read it with the offcut that wrote it"
              .formatted(
                  file, schema.isEmpty() ? "of an unknown form" : "of the form " + schema, SCHEMA));
    }
    return new End(
        members.get("exitCode") instanceof Long code ? code.intValue() : -1,
        Boolean.TRUE.equals(members.get("containerWasFull")));
  }

  private static Failure damaged(Path file, String reason) {
    return Failure.unreadable("cannot read " + file + ": it is damaged (" + reason + ")");
  }
}
