package dev.offcut.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.offcut.cli.source.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder of a fleet: {@code TABLE/date=YYYY-MM-DD/service=NAME/HASH.parquet}, and {@code
 * fleet.json}. Files are written under another name, renamed, and never changed again. The file of
 * {@code processes} is the last one of its hash: as long as it is not there, the others of that
 * hash do not count.
 */
public final class Fleet {
  /** What the name of each file of a table ends with. */
  public static final String ENDING = ".parquet";

  private static final String ABOUT = "fleet.json";
  private static final String SCHEMA = "offcut.fleet/";
  private static final String DATE = "date=";
  private static final String SERVICE = "service=";

  /** Begins the names of files that are not there yet; no engine reads such files. */
  private static final String UNFINISHED = ".unfinished-";

  private final Path folder;

  private Fleet(Path folder) {
    this.folder = folder;
  }

  /** One that is there. */
  public static Fleet open(Path folder) throws Failure {
    if (!Files.exists(folder)) {
      throw Failure.unreadable(
          "there is no folder " + folder + "; `offcut fleet add SRC --to " + folder + "` makes it");
    }
    if (!Files.isDirectory(folder)) {
      throw Failure.unreadable(folder + " is a file; a fleet is a folder");
    }
    if (!Files.isReadable(folder)) {
      throw Failure.unreadable("cannot read " + folder + ": permission denied");
    }
    if (!Files.exists(folder.resolve(ABOUT))) {
      throw Failure.unreadable(
          folder + " is no fleet: it has no " + ABOUT + "; `offcut fleet add` makes fleets");
    }
    check(folder.resolve(ABOUT));
    return new Fleet(folder);
  }

  /** One that is there, or a new one in a new or empty folder. */
  public static Fleet openOrMake(Path folder) throws Failure {
    try {
      if (!Files.exists(folder.resolve(ABOUT))) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
          throw Failure.other(folder + " is a file; give --to a folder");
        }
        Files.createDirectories(folder);
        try (Stream<Path> content = Files.list(folder)) {
          if (content.anyMatch(file -> !isOurs(file))) {
            throw Failure.other(
                folder + " is no fleet, and not empty; give --to a fleet, or a new folder");
          }
        }
        // Whoever else makes it at this moment writes the same.
        Path made = unfinished(folder);
        Files.writeString(made, "{\"schema\":\"" + SCHEMA + Rows.SCHEMA + "\"}\n");
        Files.move(made, folder.resolve(ABOUT), StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw cannot("write", folder, e);
    }
    return open(folder);
  }

  private static boolean isOurs(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(UNFINISHED)
        || name.equals(ABOUT)
        || Stream.of(FleetTable.values()).anyMatch(table -> table.title().equals(name));
  }

  private static void check(Path about) throws Failure {
    String schema = "";
    try (JsonParser json =
        new JsonFactory().createParser(Files.readString(about, StandardCharsets.UTF_8))) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        if (field.equals("schema")) {
          schema = String.valueOf(json.getText());
        } else {
          json.skipChildren();
        }
      }
    } catch (IOException e) {
      throw Failure.unreadable("cannot read " + about + ": it is no JSON that this version knows");
    }
    if (!schema.matches(SCHEMA + "[0-9]{1,9}")) {
      throw Failure.unreadable(about + " is of the form " + schema + ", not of " + SCHEMA + "1");
    }
    checkSchema(about.toString(), Long.parseLong(schema.substring(SCHEMA.length())));
  }

  /** Refuses what a newer version wrote: it may mean something else. */
  static void checkSchema(String what, long schema) throws Failure {
    if (schema > Rows.SCHEMA) {
      throw Failure.unreadable(
          what
              + " is of the form "
              + SCHEMA
              + schema
              + ", this reads up to "
              + SCHEMA
              + Rows.SCHEMA
              + "; use the offcut that wrote it, or a newer one");
    }
  }

  /** Where it is. */
  public Path folder() {
    return folder;
  }

  /** The day that a time is in, in UTC. */
  public static LocalDate date(long ms) {
    return Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC).toLocalDate();
  }

  /** The file of a table. */
  public Path file(FleetTable table, LocalDate date, String service, String hash) {
    return folder
        .resolve(table.title())
        .resolve(DATE + date)
        .resolve(SERVICE + service)
        .resolve(hash + ENDING);
  }

  /** A file to write to before {@link #put}. */
  public Path unfinished() {
    return unfinished(folder);
  }

  private static Path unfinished(Path folder) {
    return folder.resolve(UNFINISHED + UUID.randomUUID());
  }

  /** Gives a finished file its place. Another of that name has the same content. */
  public void put(Path finished, Path place) throws IOException {
    Files.createDirectories(place.getParent());
    Files.move(finished, place, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes a file, if it is there. */
  public void delete(Path file) throws Failure {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw cannot("delete", file, e);
    }
  }

  /** Deletes files that were begun before a time, and never got their place. */
  public void deleteUnfinished(long beforeMs) throws Failure {
    try (Stream<Path> content = Files.list(folder)) {
      for (Path file : content.toList()) {
        if (name(file).startsWith(UNFINISHED) && file.toFile().lastModified() < beforeMs) {
          delete(file);
        }
      }
    } catch (IOException e) {
      throw cannot("read", folder, e);
    }
  }

  /** The name of a file with several sources. It comes behind those of single sources. */
  public String nameOf(SortedSet<String> sources) {
    Hash hash = new Hash();
    sources.forEach(hash::add);
    return "merged-" + hash.digits(Hash.LONG_DIGITS);
  }

  /**
   * A file of a table that is there.
   *
   * @param hash its name without the ending
   */
  public record Held(FleetTable table, LocalDate date, String service, String hash, Path path) {
    /** As an engine takes it. */
    public Engine.Part part(Set<String> without) {
      return new Engine.Part(path.toString(), hash, without);
    }
  }

  /** All files of a table, by name. */
  public List<Held> files(FleetTable table) throws Failure {
    List<Held> all = new ArrayList<>();
    Path top = folder.resolve(table.title());
    try {
      for (Path day : list(top)) {
        for (Path service : list(day)) {
          for (Path file : list(service)) {
            String name = name(file);
            if (name.endsWith(ENDING)
                && !name.startsWith(".")
                && name(day).matches(DATE + "\\d{4}-\\d\\d-\\d\\d")
                && name(service).startsWith(SERVICE)) {
              all.add(
                  new Held(
                      table,
                      LocalDate.parse(name(day).substring(DATE.length())),
                      name(service).substring(SERVICE.length()),
                      name.substring(0, name.length() - ENDING.length()),
                      file));
            }
          }
        }
      }
    } catch (IOException e) {
      throw cannot("read", folder, e);
    }
    return all;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> content = Files.list(folder)) {
      return content.sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of(); // there is none yet, or it was just deleted
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** A sentence about what the system refused. */
  public static Failure cannot(String what, Path path, Exception e) {
    String message = String.valueOf(e.getMessage());
    String reason =
        e instanceof AccessDeniedException || message.contains("Permission denied")
            ? "permission denied"
            : message.contains("No space left")
                ? "the disk is full; what was there before is whole, and so is what is there now"
                : e instanceof NoSuchFileException
                    ? "there is no such file"
                    : e instanceof ReadOnlyFileSystemException
                            || message.contains("Read-only file system")
                        ? "the file system is read-only"
                        : e instanceof FileSystemException system && system.getReason() != null
                            ? system.getReason()
                            : message.lines().findFirst().orElse(e.toString());
    return Failure.other("cannot " + what + " " + path + ": " + reason);
  }
}
