package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several lines that rise in step is the cause. */
class RiseCausesTest extends RisingLines {
  private static final String CLOSE_TRANSPORT = "end each Transport with close().";

  /** A server accepts as many connections as its clients open and leave. */
  @Test
  void connections_areOfWhoeverOpensThem() {
    owner = "java.net.Socket\nclose\nreturned accepted";
    line(SOCKET, LINE, 0, second -> 10 * second);
    owner = "org.lib.Connection\nclose\nreturned ";
    line(SOCKET, OTHER, 0, second -> 10 * second);
    assertThat(titles())
        .containsExactly("GROWING 300 sockets of Connection opened at Orders.java:99 are open");
    assertThat(findings().getFirst().text())
        .contains("With them came 300 sockets at Orders.java:88");
  }

  @Test
  void acceptedConnections_areAFindingByThemselves() {
    owner = "java.net.Socket\nclose\nreturned accepted";
    line(SOCKET, LINE, 0, second -> 10 * second);
    assertThat(titles()).containsExactly("GROWING 300 sockets opened at Orders.java:88 are open");
  }

  /** Fewer of each than are a finding: both ends of a connection are not twice as many. */
  @Test
  void bothEndsOfFewConnections_areNoFinding() {
    owner = "java.net.Socket\nclose\nreturned accepted";
    line(SOCKET, LINE, 0, second -> 2 * second);
    owner = "\n\n";
    line(SOCKET, OTHER, 0, second -> 2 * second);
    assertThat(titles()).isEmpty();
  }

  /** An object is made at one line, and starts a thread when another line calls it. */
  @Test
  void whereAnObjectIsMade_comesBeforeWhereItIsCalled() {
    owner = "org.lib.Session\nclose\nreceiver ";
    line(THREAD, OTHER, 0, second -> 6 * second);
    owner = "org.lib.Transport\nclose\n";
    line("sun.nio.ch.DatagramChannelImpl", LINE, 0, second -> 6 * second);
    assertThat(titles()).hasSize(1);
    assertThat(findings().getFirst().title())
        .startsWith("180 datagram channels of Transport opened at Orders.java:88 are open");
    assertThat(findings().getFirst().text())
        .contains("With them came 180 threads at Orders.java:99", CLOSE_TRANSPORT);
  }

  /** A client is made, and its connection is closed: the client's selectors stay. */
  @Test
  void whatOutlivesAConnection_isOfTheClientThatMadeIt() {
    owner = "org.lib.Connection\nclose\nreturned ";
    line(SELECTOR, OTHER, 0, second -> 8 * second);
    owner = "org.lib.Client\nshutdown\nreturned ";
    line(THREAD, LINE, 0, second -> 4 * second);
    assertThat(findings().getFirst().text()).contains("end each Connection with close().");
    owner = "org.lib.Connection\nclose\nreturned ";
    line(SOCKET, OTHER, 120, second -> 0);
    assertThat(titles())
        .containsExactly("GROWING 120 threads of Client opened at Orders.java:88 are open");
    assertThat(findings().getFirst().text())
        .contains("With them came 240 selectors at Orders.java:99", "each Client with shutdown().");
  }

  /** Another line rises in step by chance; a client that is forgotten now and then has its own. */
  @Test
  void whatIsMostlyClosed_isOfItsOwnClient() {
    owner = "org.lib.Client\nclose\n";
    line(SELECTOR, OTHER, 4_000, second -> 8 * second);
    owner = "org.lib.Session\nclose\n";
    line(THREAD, LINE, 0, second -> 4 * second);
    assertThat(titles()).hasSize(1);
    assertThat(findings().getFirst().text()).contains("end each Client with close().");
  }

  /** Who called the object is the only owner that is known. */
  @Test
  void whatACallOpened_isOfTheObjectThatWasCalled() {
    owner = "org.lib.Client\nclose\nreceiver ";
    line(THREAD, LINE, 0, second -> 8 * second);
    assertThat(titles())
        .containsExactly("GROWING 240 threads of Client opened at Orders.java:88 are open");
    assertThat(findings().getFirst().text()).contains("end each Client with close().");
  }

  /** They may be a pool that fills; but their stacks rise, and then their line is known. */
  @Test
  void stacksThatRise_haveTheLineOfTheThreads() {
    owner = "org.lib.Client\nclose\nreceiver ";
    line(THREAD, LINE, 0, second -> 5 * second);
    List<Accounts.Taken> all = new ArrayList<>();
    for (int second = 0; second <= SECONDS; second++) {
      Account.Row row = new Account.Row(Part.STACKS, "", (10 + 2L * second) << 20);
      Account account =
          GivenAccount.of(20 + 5 * second, List.of(), Descriptors.UNKNOWN, List.of(row));
      all.add(new Accounts.Taken(BEGIN.plusSeconds(second), account));
    }
    builder.accounts(new Accounts(all));
    assertThat(titles()).first().asString().startsWith("GROWING thread stacks");
    assertThat(findings().getFirst().text())
        .contains("150 threads opened at " + LINE + " are open", "end each Client with close()");
  }
}
