package dev.offcut.command.read;

import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.resident.Account;
import dev.offcut.resident.AccountJson;
import dev.offcut.resident.Descriptors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Accounts in a file beside the recording of their program, as JSON: {@code offcut.accounts/1}. */
public final class AccountsFile {
  /** What its name ends with. */
  public static final String ENDING = ".accounts.json";

  private static final String SCHEMA = "offcut.accounts/1";
  private static final String RECORDING = ".jfr";

  private AccountsFile() {}

  /** As text. */
  public static String text(Accounts accounts) {
    return AccountJson.file(
        accounts.all().stream()
            .map(taken -> AccountJson.of(taken.time(), taken.atEnd(), taken.account()))
            .toList());
  }

  /** Those that lie beside a recording; null if there are none. */
  static @Nullable Accounts beside(Path recording) throws Failure {
    String name = String.valueOf(recording.getFileName());
    String ending = name.endsWith(Tables.ENDING) ? Tables.ENDING : RECORDING;
    if (!name.endsWith(ending)) {
      return null;
    }
    String stem = name.substring(0, name.length() - ending.length());
    Path file = recording.resolveSibling(stem + ENDING);
    if (!Files.exists(file)) {
      Path archive = RunArchive.beside(recording);
      return archive == null ? null : RunArchive.accounts(archive);
    }
    try {
      return parse(Files.readString(file, StandardCharsets.UTF_8));
    } catch (IOException | DateTimeException | IllegalArgumentException e) {
      throw Failure.unreadable(
          "cannot read " + file + ": it holds no accounts that this version knows; move it away");
    }
  }

  /** Null if it holds none. */
  static @Nullable Accounts parse(String text) throws IOException {
    List<Taken> all = new ArrayList<>();
    if (Json.parse(text, SCHEMA).get("accounts") instanceof List<?> accounts) {
      for (Object one : accounts) {
        if (one instanceof Map<?, ?> members) {
          all.add(taken(members));
        }
      }
    }
    return all.isEmpty() ? null : new Accounts(List.copyOf(all));
  }

  /** What stands beside what in the file. */
  private record Flat(
      Instant time,
      boolean atEnd,
      long resident,
      long swapped,
      long heapUsed,
      long heapLimit,
      int threads,
      int arenas,
      List<Account.Row> rows,
      List<Account.Group> threadNames,
      List<Account.Group> loaders,
      long descriptorLimit,
      List<Account.Group> descriptorKinds,
      List<Account.Group> openFiles,
      List<String> limits) {}

  private record Limits(
      long containerLimit, long containerUsed, long containerPageCache, long containerKills) {}

  private static Taken taken(Map<?, ?> members) throws IOException {
    Flat flat = Json.record(Flat.class, members);
    Limits its = Json.record(Limits.class, members);
    Account.Container container =
        members.containsKey("containerLimit")
            ? new Account.Container(
                its.containerLimit(),
                its.containerUsed(),
                its.containerPageCache(),
                its.containerKills())
            : null;
    return new Taken(
        flat.time(),
        new Account(
            flat.resident(),
            flat.swapped(),
            flat.rows(),
            flat.heapUsed(),
            flat.heapLimit(),
            flat.threads(),
            flat.arenas(),
            container,
            flat.threadNames(),
            flat.loaders(),
            new Descriptors(
                members.get("descriptors") instanceof Long open ? open.intValue() : -1,
                flat.descriptorLimit(),
                flat.descriptorKinds(),
                flat.openFiles()),
            flat.limits()),
        flat.atEnd());
  }
}
