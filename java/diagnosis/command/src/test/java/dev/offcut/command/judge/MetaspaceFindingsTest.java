package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.GivenFields;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metaspace that rises, and whose it is. */
class MetaspaceFindingsTest {
  private static final long MIB = 1 << 20;
  private static final int SECONDS = 30;
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Of a program whose metaspace rises by a MiB a second, with an account at its end. */
  private static List<String> titles(int loaders, long metaspaceMib, boolean atEnd) {
    DigestBuilder builder = new DigestBuilder();
    builder.take(new GivenFields("offcut.Begin", BEGIN, Map.of()));
    for (int second = 0; second <= SECONDS; second++) {
      builder.take(
          new GivenFields(
              "offcut.Series",
              BEGIN.plusSeconds(second),
              Map.of("metaspace", (20L + second) * MIB)));
    }
    Account account =
        GivenAccount.of(
            1,
            List.of(new Account.Group("org.acme.PluginLoader", loaders, 25 * MIB)),
            Descriptors.UNKNOWN,
            List.of(new Account.Row(Part.METASPACE, "", metaspaceMib * MIB)));
    Instant end = BEGIN.plusSeconds(SECONDS);
    builder.accounts(new Accounts(List.of(new Accounts.Taken(end, account, atEnd))));
    return builder.digest(true).findings().stream()
        .map(one -> one.severity() + " " + one.title())
        .toList();
  }

  @Test
  void rise_isAFinding() {
    assertThat(titles(1, 50, true)).containsExactly("GROWING metaspace: 60.0 MiB more a minute");
  }

  @Test
  void rise_ofManyLoadersOfAClass_isTheirs() {
    assertThat(titles(16, 50, true))
        .containsExactly(
            "LOADERS 16 class loaders of the class org.acme.PluginLoader hold 25.0 MiB of metaspace");
  }

  /** No collection came before. */
  @Test
  void rise_ofClassesThatTheEndUnloads_isNone() {
    assertThat(titles(1, 21, true)).isEmpty();
    assertThat(titles(1, 21, false)).as("of that the account was too early").hasSize(1);
  }
}
