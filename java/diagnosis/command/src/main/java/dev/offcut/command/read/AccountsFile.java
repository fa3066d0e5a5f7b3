package dev.offcut.command.read;

import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.resident.Account;
import dev.offcut.resident.AccountJson;
import dev.offcut.resident.Bound;
import dev.offcut.resident.Descriptors;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Accounts as JSON, {@code offcut.accounts/1}. */
public final class AccountsFile {
  private static final String SCHEMA = "offcut.accounts/1";

  private AccountsFile() {}

  public static String text(Accounts accounts) {
    return AccountJson.file(
        accounts.all().stream()
            .map(taken -> AccountJson.of(taken.time(), taken.atEnd(), taken.account()))
            .toList());
  }

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
      List<Bound> bounds,
      List<String> limits,
      long containerLimit,
      long containerUsed,
      long containerPageCache,
      long containerKills) {}

  private static Taken taken(Map<?, ?> members) throws IOException {
    Flat flat = Json.record(Flat.class, members);
    Account.Container container =
        members.containsKey("containerLimit")
            ? new Account.Container(
                flat.containerLimit(),
                flat.containerUsed(),
                flat.containerPageCache(),
                flat.containerKills())
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
            flat.bounds(),
            flat.limits()),
        flat.atEnd());
  }
}
