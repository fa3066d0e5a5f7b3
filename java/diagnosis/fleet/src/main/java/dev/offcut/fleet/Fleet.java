package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a fleet: {@code TABLE/date=YYYY-MM-DD/service=NAME/HASH.parquet}, and {@code
 * fleet.json}. Files appear as a whole, and are never changed. The file of {@code processes} is the
 * last one of its hash: as long as it is not there, the others of that hash do not count.
 */
public final class Fleet {
  /** What the name of each file of a table ends with. */
  public static final String ENDING = ".parquet";

  /** Where agents put copies of their tables. */
  public static final String INCOMING = "incoming";

  private static final String ABOUT = "fleet.json";
  private static final String SCHEMA = "offcut.fleet/";
  private static final Pattern FORM =
      Pattern.compile("\"schema\"\\s*:\\s*\"\\Q" + SCHEMA + "\\E([0-9]{1,9})\"");
  private static final String DATE = "date=";
  private static final String SERVICE = "service=";

  /** TABLE/date=YYYY-MM-DD/service=NAME/HASH.parquet, without the table. */
  private static final Pattern FILE =
      Pattern.compile(
          DATE + "(\\d{4}-\\d\\d-\\d\\d)/" + SERVICE + "([^/]*)/([^./][^/]*)\\Q" + ENDING + "\\E");

  private final Store store;

  private Fleet(Store store) {
    this.store = store;
  }

  /**
   * One that is there.
   *
   * @param place a folder, or {@code s3://BUCKET/PREFIX}
   */
  public static Fleet open(String place) throws Failure {
    return open(Store.at(place));
  }

  private static Fleet open(Store store) throws Failure {
    store.check();
    String about = store.text(ABOUT);
    if (about == null && store.top().contains(INCOMING)) {
      return openOrMake(store.place()); // agents were the first
    }
    if (about == null) {
      throw Failure.unreadable(
          store.place() + " is no fleet: it has no " + ABOUT + "; `offcut fleet add` makes fleets");
    }
    check(store.place() + "/" + ABOUT, about);
    return new Fleet(store);
  }

  /** One that is there, or a new one in a new or empty place. */
  public static Fleet openOrMake(String place) throws Failure {
    Store store = Store.at(place);
    if (store.text(ABOUT) == null) {
      store.make();
      if (!store.top().stream().allMatch(Fleet::isOurs)) {
        throw Failure.other(
            place + " is no fleet, and not empty; give --to a fleet, or a new folder");
      }
      // Whoever else makes it at this moment writes the same.
      Path made = store.unfinished();
      try {
        Files.writeString(made, "{\"schema\":\"" + SCHEMA + Rows.SCHEMA + "\"}\n");
        store.put(made, ABOUT);
      } catch (IOException e) {
        throw cannot("write", place, e);
      } finally {
        made.toFile().delete();
      }
    }
    return open(store);
  }

  private static boolean isOurs(String name) {
    return name.equals(ABOUT)
        || name.equals(INCOMING)
        || Stream.of(FleetTable.values()).anyMatch(table -> table.title().equals(name));
  }

  private static void check(String name, String about) throws Failure {
    Matcher form = FORM.matcher(about);
    if (!form.find()) {
      throw Failure.unreadable(name + " does not say that it is of the form " + SCHEMA + "1");
    }
    checkSchema(name, Long.parseLong(form.group(1)));
  }

  /** Refuses what a newer version wrote: it may mean something else. */
  static void checkSchema(String what, long schema) throws Failure {
    if (schema > Rows.SCHEMA) {
      throw Failure.unreadable(
          ("%s is of the form %s%s, this reads up to %s%s; use the offcut that wrote it, or"
                  + " a newer one")
              .formatted(what, SCHEMA, schema, SCHEMA, Rows.SCHEMA));
    }
  }

  public Store store() {
    return store;
  }

  public String place() {
    return store.place();
  }

  /** The day that a time is in, in UTC. */
  public static LocalDate date(long ms) {
    return Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC).toLocalDate();
  }

  /** The name of a file of a table. */
  public static String file(FleetTable table, LocalDate date, String service, String hash) {
    return table.title() + "/" + DATE + date + "/" + SERVICE + service + "/" + hash + ENDING;
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
  public record Held(Store store, FleetTable table, LocalDate date, String service, String hash) {
    public String name() {
      return Fleet.file(table, date, service, hash);
    }

    public long bytes() {
      return store.bytes(name());
    }

    /** When it was written, in ms since 1970. */
    public long changedMs() {
      return store.changedMs(name());
    }

    /** Deletes it, if it is still there. */
    public void delete() throws Failure {
      store.delete(name());
    }

    /** As an engine takes it. */
    public Engine.Part part(Set<String> without) {
      return new Engine.Part(store, name(), hash, without);
    }
  }

  /** All files of a table, by name. */
  public List<Held> files(FleetTable table) throws Failure {
    List<Held> all = new ArrayList<>();
    for (String name : store.files(table.title())) {
      Matcher file = FILE.matcher(name.substring(table.title().length() + 1));
      if (file.matches()) {
        all.add(
            new Held(store, table, LocalDate.parse(file.group(1)), file.group(2), file.group(3)));
      }
    }
    return all;
  }

  /** A sentence about what the system refused. */
  public static Failure cannot(String what, String place, Exception e) {
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
    return Failure.other("cannot " + what + " " + place + ": " + reason);
  }
}
