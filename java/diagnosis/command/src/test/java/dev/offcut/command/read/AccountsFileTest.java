package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.resident.Account;
import dev.offcut.resident.Bound;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountsFileTest {
  private static final Account FIRST = GivenAccount.of(row(Part.HEAP_USED, "", 100));

  private static final Account SECOND =
      new Account(
          300,
          7,
          List.of(row(Part.MALLOC_USED, "", 200), row(Part.FILES, "/a \"file\" \\ \u0001\n", 100)),
          50,
          1000,
          20,
          16,
          new Account.Container(-1, 400, 90, 4),
          List.of(new Account.Group("worker", 12, 0), new Account.Group("java", 2, 0)),
          List.of(new Account.Group("com.acme.Loader", 40, 12_345)),
          new Descriptors(
              40,
              1024,
              List.of(new Account.Group("socket", 30, 0), new Account.Group("file", 10, 0)),
              List.of(new Account.Group("/a", 9, 0))),
          List.of(new Bound(Bound.Of.THREADS, 20, 512)),
          List.of("Nobody looked."));

  private static Account.Row row(Part part, String detail, long bytes) {
    return new Account.Row(part, detail, bytes);
  }

  private static final Accounts ACCOUNTS =
      new Accounts(
          List.of(
              new Taken(Instant.parse("2026-01-01T00:00:00Z"), FIRST),
              new Taken(Instant.parse("2026-01-01T00:00:10.5Z"), SECOND, true)));

  @Test
  void text_isReadAsItWas() throws Exception {
    assertThat(AccountsFile.parse(AccountsFile.text(ACCOUNTS))).isEqualTo(ACCOUNTS);
  }

  @Test
  void parse_anotherText_fails() {
    for (String damaged :
        List.of(
            "",
            "[]",
            "{\"schema\":\"offcut.accounts/2\",\"accounts\":[]}",
            AccountsFile.text(ACCOUNTS).replace("MALLOC_USED", "MALLOC_LENT"),
            AccountsFile.text(ACCOUNTS).substring(0, 200))) {
      assertThatThrownBy(() -> AccountsFile.parse(damaged))
          .isInstanceOfAny(IOException.class, IllegalArgumentException.class);
    }
  }
}
