package dev.offcut.cli.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.offcut.account.Account;
import dev.offcut.account.AccountJson;
import dev.offcut.account.Descriptors;
import dev.offcut.account.Part;
import dev.offcut.cli.digest.Accounts;
import dev.offcut.cli.digest.Accounts.Taken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Accounts in a file beside the recording of their program, as JSON: {@code offcut.accounts/1}. */
public final class AccountsFile {
  /** What its name ends with. */
  public static final String ENDING = ".accounts.json";

  private static final String SCHEMA = "offcut.accounts/1";
  private static final String RECORDING = ".jfr";
  private static final Set<String> GROUPS =
      Set.of("threadNames", "loaders", "descriptorKinds", "openFiles");

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
    try (JsonParser json = new JsonFactory().createParser(text)) {
      expect(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        if (field.equals("accounts")) {
          while (json.nextToken() == JsonToken.START_OBJECT) {
            all.add(read(json));
          }
        } else if (field.equals("schema")) {
          expect(json.getText().equals(SCHEMA));
        } else {
          json.skipChildren();
        }
      }
    }
    return all.isEmpty() ? null : new Accounts(List.copyOf(all));
  }

  private static void expect(boolean right) throws IOException {
    if (!right) {
      throw new IOException("not " + SCHEMA);
    }
  }

  private static Taken read(JsonParser json) throws IOException {
    Map<String, Long> numbers = new HashMap<>();
    Instant time = Instant.EPOCH;
    boolean atEnd = false;
    List<Account.Row> rows = new ArrayList<>();
    Map<String, List<Account.Group>> groups = new HashMap<>();
    List<String> limits = new ArrayList<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      if (field.equals("time")) {
        time = Instant.parse(json.getText());
      } else if (field.equals("atEnd")) {
        atEnd = json.getBooleanValue();
      } else if (field.equals("rows")) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          rows.add(row(json));
        }
      } else if (GROUPS.contains(field)) {
        List<Account.Group> its = new ArrayList<>();
        while (json.nextToken() == JsonToken.START_OBJECT) {
          its.add(group(json));
        }
        groups.put(field, List.copyOf(its));
      } else if (field.equals("limits")) {
        while (json.nextToken() == JsonToken.VALUE_STRING) {
          limits.add(json.getText());
        }
      } else if (value == JsonToken.VALUE_NUMBER_INT) {
        numbers.put(field, json.getLongValue());
      } else {
        json.skipChildren();
      }
    }
    Account.Container container =
        numbers.containsKey("containerLimit")
            ? new Account.Container(
                number(numbers, "containerLimit"),
                number(numbers, "containerUsed"),
                number(numbers, "containerPageCache"),
                number(numbers, "containerKills"))
            : null;
    return new Taken(
        time,
        new Account(
            number(numbers, "resident"),
            number(numbers, "swapped"),
            List.copyOf(rows),
            number(numbers, "heapUsed"),
            number(numbers, "heapLimit"),
            (int) number(numbers, "threads"),
            (int) number(numbers, "arenas"),
            container,
            groups.getOrDefault("threadNames", List.of()),
            groups.getOrDefault("loaders", List.of()),
            new Descriptors(
                numbers.getOrDefault("descriptors", -1L).intValue(),
                number(numbers, "descriptorLimit"),
                groups.getOrDefault("descriptorKinds", List.of()),
                groups.getOrDefault("openFiles", List.of())),
            List.copyOf(limits)),
        atEnd);
  }

  private static long number(Map<String, Long> numbers, String name) {
    return numbers.getOrDefault(name, 0L);
  }

  private static Account.Group group(JsonParser json) throws IOException {
    String name = "";
    Map<String, Long> numbers = new HashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      if (field.equals("name")) {
        name = json.getText();
      } else if (value == JsonToken.VALUE_NUMBER_INT) {
        numbers.put(field, json.getLongValue());
      } else {
        json.skipChildren();
      }
    }
    return new Account.Group(name, (int) number(numbers, "count"), number(numbers, "bytes"));
  }

  private static Account.Row row(JsonParser json) throws IOException {
    Part part = Part.UNEXPLAINED;
    String detail = "";
    long bytes = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "part" -> part = Part.valueOf(json.getText());
        case "detail" -> detail = json.getText();
        case "bytes" -> bytes = json.getLongValue();
        default -> json.skipChildren();
      }
    }
    return new Account.Row(part, detail, bytes);
  }
}
