package dev.offcut.resident;

import java.time.Instant;
import java.util.List;

/** Accounts as JSON, {@code offcut.accounts/1}: so the agent writes them, and the command. */
public final class AccountJson {
  private final StringBuilder text = new StringBuilder();

  private AccountJson() {}

  /**
   * Returns one file of accounts.
   *
   * @param accounts of {@link #of}
   * @return the file's text
   */
  public static String file(List<String> accounts) {
    return "{\"schema\":\"offcut.accounts/1\",\"accounts\":[\n"
        + String.join(",\n", accounts)
        + "]}\n";
  }

  /**
   * Returns an account as one object.
   *
   * @param time when it was taken
   * @param atEnd whether the program waited for it before it ended
   * @param account the account
   * @return the object's text
   */
  public static String of(Instant time, boolean atEnd, Account account) {
    AccountJson json = new AccountJson();
    json.text.append("{\"time\":\"").append(time).append("\",\"atEnd\":").append(atEnd);
    json.number("resident", account.resident());
    json.number("swapped", account.swapped());
    json.number("heapUsed", account.heapUsed());
    json.number("heapLimit", account.heapLimit());
    json.number("threads", account.threads());
    json.number("arenas", account.arenas());
    Account.Container container = account.container();
    if (container != null) {
      json.number("containerLimit", container.limit());
      json.number("containerUsed", container.used());
      json.number("containerPageCache", container.pageCache());
      json.number("containerKills", container.kills());
    }
    json.rows(account.rows());
    json.groups("threadNames", account.threadNames());
    json.groups("loaders", account.loaders());
    json.number("descriptors", account.descriptors().open());
    json.number("descriptorLimit", account.descriptors().limit());
    json.groups("descriptorKinds", account.descriptors().kinds());
    json.groups("openFiles", account.descriptors().files());
    json.bounds(account.bounds());
    json.limits(account.limits());
    return json.text.append('}').toString();
  }

  private void rows(List<Account.Row> rows) {
    begin("rows");
    for (Account.Row row : rows) {
      text.append("{\"part\":\"").append(row.part().name()).append("\",\"detail\":");
      quoted(row.detail());
      number("bytes", row.bytes());
      text.append("},");
    }
    end();
  }

  private void groups(String field, List<Account.Group> groups) {
    if (groups.isEmpty()) {
      return;
    }
    begin(field);
    for (Account.Group group : groups) {
      text.append("{\"name\":");
      quoted(group.name());
      number("count", group.count());
      number("bytes", group.bytes());
      text.append("},");
    }
    end();
  }

  private void bounds(List<Bound> bounds) {
    begin("bounds");
    for (Bound bound : bounds) {
      text.append("{\"of\":\"").append(bound.of().name()).append('"');
      number("used", bound.used());
      number("limit", bound.limit());
      text.append("},");
    }
    end();
  }

  private void limits(List<String> limits) {
    begin("limits");
    for (String limit : limits) {
      quoted(limit);
      text.append(',');
    }
    end();
  }

  private void begin(String field) {
    text.append(",\"").append(field).append("\":[");
  }

  /** Behind each value stands a comma, also behind the last. */
  private void end() {
    if (text.charAt(text.length() - 1) == ',') {
      text.setLength(text.length() - 1);
    }
    text.append(']');
  }

  private void number(String field, long number) {
    text.append(",\"").append(field).append("\":").append(number);
  }

  private void quoted(String words) {
    text.append('"');
    for (int i = 0; i < words.length(); i++) {
      char letter = words.charAt(i);
      if (letter < ' ') {
        text.append("\\u00").append(letter < 16 ? "0" : "").append(Integer.toHexString(letter));
      } else {
        text.append(letter == '"' || letter == '\\' ? "\\" : "").append(letter);
      }
    }
    text.append('"');
  }
}
