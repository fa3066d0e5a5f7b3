package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8080, 127.0.0.1",
    "localhost:8080, 127.0.0.1",
    "LOCALHOST:8080, ::1",
    "[::1]:8080, ::1",
    "[0:0:0:0:0:0:0:1]:8080, ::1",
    "[2001:db8::a]:8080, 2001:DB8:0:0:0:0:0:A",
    "192.0.2.7:8080, 192.0.2.7",
    "localhost, 127.0.0.1",
    "[::1], ::1",
    // ssh -L 9000:localhost:8080, and by way of another machine.
    "[::1]:9000, 127.0.0.1",
    "localhost:9000, 192.0.2.7",
  })
  void isOf_itsOwn_passes(String header, String address) {
    assertThat(Host.isOf(header, InetAddress.ofLiteral(address))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example:8080, 127.0.0.1",
    "localhost.evil.example:8080, 127.0.0.1",
    "127.0.0.1.evil.example:8080, 127.0.0.1",
    "evil.example:127.0.0.1, 127.0.0.1",
    "[::1:8080, ::1",
    "::1:8080, ::1",
    "[::2]:8080, ::1",
    "[::1%nowhere]:8080, ::1",
    "192.0.2.8:8080, 192.0.2.7",
    "evil.example, 192.0.2.7",
    "localhost:, 127.0.0.1",
    "localhost:8080x, 127.0.0.1",
    "localhost:808080, 127.0.0.1",
    "null, 127.0.0.1",
    "'', 127.0.0.1",
    "':', 127.0.0.1",
    "'[]:80', ::1",
  })
  void isOf_others_doesNot(String header, String address) {
    assertThat(Host.isOf(header, InetAddress.ofLiteral(address))).isFalse();
  }

  @Test
  void literal_isThatOfAnUrl() {
    assertThat(Host.literal(InetAddress.ofLiteral("127.0.0.1"))).isEqualTo("127.0.0.1");
    assertThat(Host.literal(InetAddress.ofLiteral("::1"))).isEqualTo("[0:0:0:0:0:0:0:1]");
  }

  @Test
  void reachable_wildcard_isAnAddress() {
    for (String all : new String[] {"0.0.0.0", "::"}) {
      assertThat(Host.reachable(InetAddress.ofLiteral(all)).isAnyLocalAddress()).isFalse();
    }
    InetAddress one = InetAddress.ofLiteral("192.0.2.7");
    assertThat(Host.reachable(one)).isEqualTo(one);
  }
}
