package dev.offcut.cli.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8080, 127.0.0.1, 8080",
    "localhost:8080, 127.0.0.1, 8080",
    "LOCALHOST:8080, 127.0.0.1, 8080",
    "localhost:8080, ::1, 8080",
    "[::1]:8080, ::1, 8080",
    "[0:0:0:0:0:0:0:1]:8080, ::1, 8080",
    "[2001:db8::a]:8080, 2001:DB8:0:0:0:0:0:A, 8080",
    "192.0.2.7:8080, 192.0.2.7, 8080",
    "192.0.2.7:80, 192.0.2.7, 80",
    "192.0.2.7, 192.0.2.7, 80",
    "localhost, 127.0.0.1, 80",
    "[::1], ::1, 80",
  })
  void isOf_itsOwn_passes(String header, String address, int port) {
    assertThat(Host.isOf(header, InetAddress.ofLiteral(address), port)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example:8080, 127.0.0.1, 8080",
    "127.0.0.1.evil.example:8080, 127.0.0.1, 8080",
    "127.0.0.1:8081, 127.0.0.1, 8080",
    "127.0.0.1, 127.0.0.1, 8080",
    "[::1], ::1, 8080",
    "[::1:8080, ::1, 8080",
    "::1:8080, ::1, 8080",
    "[::2]:8080, ::1, 8080",
    "[::1%nowhere]:8080, ::1, 8080",
    "localhost:8080, 192.0.2.7, 8080",
    "192.0.2.8:8080, 192.0.2.7, 8080",
    "evil.example, 192.0.2.7, 80",
    "null, 127.0.0.1, 80",
    "'', 127.0.0.1, 80",
    "':', 127.0.0.1, 80",
    "'[]:80', ::1, 80",
  })
  void isOf_others_doesNot(String header, String address, int port) {
    assertThat(Host.isOf(header, InetAddress.ofLiteral(address), port)).isFalse();
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
