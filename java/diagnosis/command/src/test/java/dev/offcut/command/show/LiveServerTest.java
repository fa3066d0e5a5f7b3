package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What it answers, and what it does not. Requests are written by hand: clients mend them. */
class LiveServerTest {
  /** For a request, short enough to wait for. */
  private static final String REQUEST_SECONDS = "3";

  static {
    System.setProperty("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
  }

  private LiveServer server = open();
  private URI url = URI.create("");

  private static LiveServer open() {
    try {
      return new LiveServer(InetAddress.getLoopbackAddress(), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void look() {
    url = URI.create(server.url());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String host() {
    return url.getHost() + ":" + url.getPort();
  }

  private Socket send(String method, String path, String host) throws IOException {
    Socket socket = new Socket(url.getHost(), url.getPort());
    socket.setSoTimeout(600_000);
    String request =
        method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private String ask(String method, String path, String host) throws IOException {
    try (Socket socket = send(method, path, host)) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String get(String name) throws IOException {
    return ask("GET", url.getPath() + name, host());
  }

  @Test
  void get_page_isThereWithItsPolicy() throws IOException {
    assertThat(get(""))
        .startsWith("HTTP/1.1 200 ")
        .contains("text/html; charset=utf-8", "<!DOCTYPE html>")
        .containsIgnoringCase("content-security-policy: default-src 'none'; script-src 'self'")
        .containsIgnoringCase("x-content-type-options: nosniff")
        .containsIgnoringCase("cache-control: no-store");
    assertThat(get("page.js")).startsWith("HTTP/1.1 200 ").contains("text/javascript");
    assertThat(get("page.css")).startsWith("HTTP/1.1 200 ").contains("text/css");
  }

  /** An open page waits for it, and would hold back the end of the server. */
  @Test
  void snapshots_afterTheirEnd_areTheOneNotSeenYetAndNoMore() throws InterruptedException {
    LiveServer.Snapshots snapshots = new LiveServer.Snapshots();
    snapshots.publish("{}", false);
    snapshots.end();
    assertThat(snapshots.after(0)).isEqualTo(new LiveServer.Snapshots.Numbered(1, "{}", false));
    assertThat(snapshots.after(1)).isNull();
  }

  @Test
  void get_snapshot_isTheLatest() throws IOException {
    assertThat(get("api/v1/snapshot")).startsWith("HTTP/1.1 503 ");
    server.publish("{\"n\":1}", false);
    server.publish("{\"n\":2}", false);
    assertThat(get("api/v1/snapshot")).startsWith("HTTP/1.1 200 ").endsWith("{\"n\":2}");
  }

  @Test
  void get_stream_goesOnUntilTheLast() throws IOException {
    server.publish("{\"n\":1}", false);
    try (Socket socket = send("GET", url.getPath() + "api/v1/stream", host());
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(until(lines, "data: {\"n\":1}")).contains("event: snapshot", "id: 1");
      server.publish("{\"n\":2}", true);
      assertThat(until(lines, "data: {\"n\":2}")).contains("id: 2").doesNotContain("event: last");
      assertThat(until(lines, "data: last")).contains("event: last");
    }
  }

  /** Of all addresses: what a browser asks for is that by which it came. */
  @Test
  void get_wildcard_isThereUnderEachAddress() throws IOException {
    server.close();
    server = new LiveServer(InetAddress.ofLiteral("0.0.0.0"), 0);
    look();
    assertThat(url.getHost()).isNotEqualTo("0.0.0.0");
    assertThat(get("")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET", url.getPath(), "evil.example:" + url.getPort())).contains(" 403 ");
    assertThat(ask("GET", url.getPath(), "192.0.2.1:" + url.getPort())).contains(" 403 ");
  }

  private static String until(BufferedReader lines, String last) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.append(line).append('\n');
      if (line.equals(last)) {
        return seen.toString();
      }
    }
    throw new AssertionError("the stream ended before " + last + ":\n" + seen);
  }

  @Test
  void get_otherHost_is403() throws IOException {
    server.publish("secret", false);
    for (String host : new String[] {"evil.example", "evil.example:" + url.getPort(), ""}) {
      assertThat(ask("GET", url.getPath() + "api/v1/snapshot", host))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContain("secret");
    }
    // As a browser behind `ssh -L 9000:localhost:8080` asks.
    assertThat(ask("GET", url.getPath(), "localhost:9000")).contains(" 200 ");
  }

  @Test
  void connect_moreThanTheLimit_isClosed() throws IOException {
    List<Socket> open = new ArrayList<>();
    try {
      server.publish("{}", false);
      for (int i = 0; i < LiveServer.MOST_CONNECTIONS; i++) {
        Socket socket = send("GET", url.getPath() + "api/v1/stream", host());
        open.add(socket);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      assertThat(answered()).isFalse();
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private boolean answered() throws IOException {
    try (Socket socket = send("GET", url.getPath() + "api/v1/snapshot", host())) {
      return socket.getInputStream().read() >= 0;
    } catch (SocketException e) {
      return false; // it was closed before the request came
    }
  }

  @Test
  void request_thatIsNeverWhole_isClosed() throws IOException {
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket.setSoTimeout(600_000);
      socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void get_withoutToken_is404() throws IOException {
    server.publish("secret", false);
    String other = url.getPath().replaceAll("[0-9a-f]", "0");
    for (String path :
        new String[] {"/", "/api/v1/snapshot", "/page.js", other, other + "api/v1/snapshot"}) {
      assertThat(ask("GET", path, host())).startsWith("HTTP/1.1 404 ").doesNotContain("secret");
    }
  }

  @Test
  void other_methods_are405() throws IOException {
    for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS"}) {
      assertThat(ask(method, url.getPath() + "api/v1/snapshot", host()))
          .startsWith("HTTP/1.1 405 ");
    }
  }

  @Test
  void get_outsideOfTheFolder_is404() throws IOException {
    for (String name :
        new String[] {
          "../Main.class",
          "..%2fMain.class",
          "%2e%2e/Main.class",
          ".hidden",
          "page.js/",
          "vendor",
          "report.html/../../Main.class",
          "README.md"
        }) {
      assertThat(get(name)).startsWith("HTTP/1.1 404 ");
    }
  }

  @Test
  void tokens_twoServers_differ() throws IOException {
    try (LiveServer other = new LiveServer(InetAddress.getLoopbackAddress(), 0)) {
      assertThat(URI.create(other.url()).getPath()).isNotEqualTo(url.getPath()).hasSize(34);
    }
  }
}
