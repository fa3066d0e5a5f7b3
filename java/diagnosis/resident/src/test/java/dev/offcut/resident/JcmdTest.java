package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a socket that is no JVM's, and what they are made of. */
class JcmdTest {
  @TempDir private Path process = Path.of("");

  /** What is asked of a JVM that gives these answers, one to each request; a blank is a zero. */
  private List<String> asked(String... answers) throws Exception {
    Files.writeString(process.resolve("status"), "NSpid:\t7\t1\n");
    Files.createDirectories(process.resolve("root/tmp"));
    ExecutorService jvm = Executors.newSingleThreadExecutor();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(process.resolve("root/tmp/.java_pid1")));
      Future<List<String>> requests = jvm.submit(serve(server, answers));
      Jcmd jcmd = Jcmd.of(process);
      assertThat(jcmd.isThere()).isTrue();
      for (int i = 1; i < answers.length; i++) {
        assertThat(jcmd.answer("VM.info")).isEqualTo("said");
      }
      return requests.get();
    } finally {
      jvm.shutdownNow();
    }
  }

  private static Callable<List<String>> serve(ServerSocketChannel server, String... answers) {
    return () -> {
      List<String> requests = new ArrayList<>();
      for (String answer : answers) {
        try (SocketChannel client = server.accept()) {
          requests.add(request(client));
          client.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
        }
      }
      return requests;
    };
  }

  /** Requests of these tests arrive whole: they are short. */
  private static String request(SocketChannel client) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    client.read(buffer);
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8)
        .replace('\0', ' ');
  }

  @Test
  void answer_ofAJvmThatWritesPieceByPiece_isMadeWholeFirst() throws Exception {
    assertThat(asked("0\n2 streaming", "0\nsaid", "0\nsaid"))
        .containsExactly(
            "1 getversion options   ",
            "2 25 jcmd streaming=0 VM.info ",
            "2 25 jcmd streaming=0 VM.info ");
  }

  @Test
  void answer_ofAnOlderJvm_isAskedInItsWay() throws Exception {
    assertThat(asked("101\nOperation getversion not recognized!\n", "0\nsaid"))
        .containsExactly("1 getversion options   ", "1 jcmd VM.info   ");
  }

  @Test
  void answer_withoutAListener_isNone() throws Exception {
    Files.writeString(process.resolve("status"), "");
    Jcmd jcmd = Jcmd.of(process);
    assertThat(jcmd.isThere()).isFalse();
    assertThat(jcmd.answer("VM.info")).isNull();
  }

  /** The JVM is stopped: the system takes the connection and the request, and nobody reads them. */
  @Test
  void answer_ofAJvmThatIsSilent_isNone(@TempDir Path folder) throws Exception {
    Path silent = Files.createDirectory(folder.resolve("4194303998"));
    Files.writeString(silent.resolve("status"), "NSpid:\t1\n");
    Files.createDirectories(silent.resolve("root/tmp"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(silent.resolve("root/tmp/.java_pid1")));
      Jcmd jcmd = Jcmd.of(silent).within(Duration.ofMillis(100));
      assertThat(jcmd.answer("VM.info")).isNull();
      assertThat(Conversation.isSilent(Long.parseLong("" + silent.getFileName()))).isTrue();
    }
  }
}
