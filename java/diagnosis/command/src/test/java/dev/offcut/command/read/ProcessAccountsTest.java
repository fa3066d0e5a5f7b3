package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.resident.Account;
import dev.offcut.resident.Account.Group;
import dev.offcut.resident.Account.Row;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which of two accounts counts: the one from outside, or the agent's. */
class ProcessAccountsTest {
  private static final long MIB = 1 << 20;
  private static final Instant EARLIER = Instant.ofEpochSecond(1_000);

  /** Of an application that was redeployed: more than a few, with much metaspace. */
  private static final Group MANY = new Group("acme.WebLoader", 40, 20 * MIB);

  /** What a collection leaves of them. */
  private static final Group FEW = new Group("acme.WebLoader", 1, MIB);

  private static Account account(long unexplained, Group... loaders) {
    List<Row> rows =
        List.of(
            new Row(Part.HEAP_USED, "", (200 - unexplained) * MIB),
            new Row(Part.UNEXPLAINED, "", unexplained * MIB));
    return GivenAccount.of(20, List.of(loaders), Descriptors.UNKNOWN, rows);
  }

  private static Account chosen(Account inside, @Nullable Account outside, boolean atEnd) {
    Taken taken =
        Objects.requireNonNull(
            ProcessAccounts.chosen(new Taken(EARLIER, inside, false), outside, atEnd));
    assertThat(taken.time()).isEqualTo(EARLIER);
    assertThat(taken.atEnd()).isEqualTo(atEnd);
    return taken.account();
  }

  @Test
  void chosen_atTheEnd_hasTheLoadersThatTheCollectionLeft() {
    Account account = chosen(account(1, MANY), account(100, FEW), true);
    assertThat(account.loaders()).containsExactly(FEW);
    assertThat(account.bytes(Part.UNEXPLAINED)).as("the agent's").isEqualTo(MIB);
    assertThat(account.limits()).isEmpty();
  }

  @Test
  void chosen_atTheEnd_withoutACollection_keepsTheLoadersOfTheAgentAndSaysSo() {
    Account uncollected = account(100, FEW).withLoadersUncollected();
    for (Account outside : new Account[] {uncollected, account(100), null}) {
      Account account = chosen(account(1, MANY), outside, true);
      assertThat(account.loaders()).containsExactly(MANY);
      assertThat(account.hasLoadersUncollected()).isTrue();
    }
  }

  /** The program goes on, and nobody collected for it. */
  @Test
  void chosen_beforeTheEnd_isTheAccountOfTheAgent() {
    Account inside = account(1, MANY);
    assertThat(chosen(inside, account(100, FEW), false)).isEqualTo(inside);
    assertThat(chosen(inside, null, false)).isEqualTo(inside);
  }

  /** The JVM collects only if there are many. */
  @Test
  void chosen_atTheEnd_ofFewLoaders_isTheAccountOfTheAgent() {
    Account inside = account(1, FEW);
    assertThat(chosen(inside, account(100), true)).isEqualTo(inside);
    assertThat(chosen(inside, null, true)).isEqualTo(inside);
  }

  @Test
  void chosen_ofAnAgentThatExplainsLess_isNone() {
    Taken inside = new Taken(EARLIER, account(100, MANY), false);
    assertThat(ProcessAccounts.chosen(inside, account(1, FEW), true)).isNull();
    assertThat(ProcessAccounts.chosen(null, account(1), true)).isNull();
    assertThat(ProcessAccounts.chosen(inside, account(100), true)).as("no less").isNotNull();
  }
}
