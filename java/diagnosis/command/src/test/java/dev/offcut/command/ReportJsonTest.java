package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.command.judge.Finding;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.show.DigestJson;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code offcut.report/2}: the account over time, and what is told of a finding. */
class ReportJsonTest {
  private static final int ACCOUNTS = 1_000;
  private static final int PEAK = 501;
  private static final long MIB = 1 << 20;

  private static Account account(int number) {
    long malloc = MIB * (number == PEAK ? 5_000 : number + 1);
    List<Account.Row> rows =
        List.of(
            new Account.Row(Part.HEAP_USED, "", 10 * MIB),
            new Account.Row(Part.MALLOC_USED, "", malloc),
            new Account.Row(Part.FILES, "/a", MIB),
            new Account.Row(Part.FILES, "/b", 2 * MIB));
    return GivenAccount.of(7 + number, List.of(), Descriptors.UNKNOWN, rows);
  }

  private static void addsUp(JsonNode account) {
    assertThat(account.get("resident")).isNotEmpty();
    for (int i = 0; i < account.get("resident").size(); i++) {
      long sum = 0;
      for (JsonNode row : account.get("rows")) {
        assertThat(row.get("bytes")).hasSize(account.get("time").size());
        sum += row.get("bytes").get(i).asLong();
      }
      assertThat(sum).isEqualTo(account.get("resident").get(i).asLong());
    }
  }

  @Test
  void accounts_areRowsOverTime_withFirstLastAndPeak() throws IOException {
    List<Taken> all = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      all.add(new Taken(Instant.ofEpochSecond(1_000_000 + 10L * i), account(i)));
    }
    DigestBuilder builder = new DigestBuilder();
    builder.accounts(new Accounts(all));
    String json = DigestJson.of(builder.digest(true));
    assertThat(ReportSchema.problemsOf(json)).isEmpty();
    JsonNode account = new ObjectMapper().readTree(json).get("account");
    addsUp(account);
    assertThat(account.get("time")).hasSizeLessThan(250).hasSizeGreaterThan(190);
    assertThat(account.get("threads").get(0).asInt()).isEqualTo(7);
    assertThat(account.get("threads").get(account.get("threads").size() - 1).asInt())
        .isEqualTo(7 + ACCOUNTS - 1);
    List<Long> resident =
        IntStream.range(0, account.get("resident").size())
            .mapToObj(i -> account.get("resident").get(i).asLong())
            .toList();
    assertThat(resident).contains(5_013 * MIB);
    assertThat(account.get("rows")).hasSize(3);
    assertThat(account.get("rows").get(2).get("part").asText()).isEqualTo("mapped files");
  }

  /** The schema and the page know each finding that a report may have. */
  @Test
  void severities_areAllInTheSchemaAndOnThePage() throws IOException {
    Path root = Path.of("..", "..", "..");
    String schema = Files.readString(root.resolve("spec/report.schema.json"));
    String page = Files.readString(root.resolve("web/library/text.js"));
    for (Finding.Severity severity : Finding.Severity.values()) {
      String name = severity.name().toLowerCase(Locale.ROOT);
      assertThat(schema).contains('"' + name + '"');
      assertThat(page).contains("  " + name + ": { word: ");
    }
  }

  @Test
  void accounts_thatNobodyTook_areNull() throws IOException {
    String json = DigestJson.of(new DigestBuilder().digest(true));
    assertThat(ReportSchema.problemsOf(json)).isEmpty();
    assertThat(new ObjectMapper().readTree(json).get("account").isNull()).isTrue();
  }
}
