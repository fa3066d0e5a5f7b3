package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accounts of a process that changes while it is read. Its files and its JVM are made here. */
class ChangingProcessTest {
  private static final int MIB = 1 << 20;

  /** What a process has in the file {@code stat} behind its name. */
  private static final int FIELDS = 50;

  private static final int START = 19;

  private static final String LIBRARY = "7e00000000-7e00400000 r-xp 0 00:00 1 /lib/libjvm.so\n";
  private static final String NODE = "7e10000000-7e10800000 rw-p 0 00:00 0 \n";
  private static final String NEXT_NODE = "7e20000000-7e20800000 rw-p 0 00:00 0 \n";

  @TempDir private Path process = Path.of("");
  private ServerSocketChannel server;
  private Function<String, String> jvm = command -> "";
  private Thread serving;

  @BeforeEach
  void start() throws IOException {
    write("status", "NSpid:\t1\n");
    write("stat", stat("S", START, 100));
    write("smaps", LIBRARY + "Rss: 4096 kB\n");
    Files.createDirectory(process.resolve("task"));
    Files.createDirectories(process.resolve("root/tmp"));
    Files.createSymbolicLink(process.resolve("pagemap"), Path.of("/proc/self/pagemap"));
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(process.resolve("root/tmp/.java_pid1")));
    serving = new Thread(this::serve);
    serving.start();
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    serving.join();
  }

  private void write(String file, String text) {
    try {
      Files.writeString(process.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code field}: which one is not 0. The name is one that only a careful reader reads. */
  private static String stat(String state, int field, long value) {
    String[] fields = new String[FIELDS];
    Arrays.fill(fields, "0");
    fields[field] = String.valueOf(value);
    fields[0] = state;
    return "1 (a) Z (b) " + String.join(" ", fields) + "\n";
  }

  private void serve() {
    while (true) {
      try (SocketChannel client = server.accept()) {
        ByteBuffer request = ByteBuffer.allocate(200);
        client.read(request);
        String[] words =
            new String(request.array(), 0, request.position(), StandardCharsets.US_ASCII)
                .split("\0", -1);
        String answer = words[1].equals("jcmd") ? jvm.apply(words[2]) : "";
        client.write(ByteBuffer.wrap(("0\n" + answer).getBytes(StandardCharsets.US_ASCII)));
      } catch (IOException e) {
        return; // the test has ended
      }
    }
  }

  /** A node of metaspace, as the JVM tells of it. */
  private static String node(String address) {
    return "node #0: base 0x" + address + ": reserved=8.00 MB, committed=8.00 MB\n";
  }

  /** Also while its first thread ends: the memory of that is still there then. */
  @ParameterizedTest
  @CsvSource({
    "S, 19, 100, Z, 100",
    "S, 6, 4194304, S, 4194308",
    "S, 28, 0, S, 256",
    "S, 25, 1, S, 2"
  })
  void take_ofAProcessThatEndsOrRunsAnotherProgram_fails(
      String state, int field, long before, String then, long after) throws IOException {
    write("stat", stat(state, field, before));
    jvm =
        command -> {
          write("stat", stat(then, field, after));
          return "";
        };
    Accountant accountant = new Accountant(process);
    assertThatThrownBy(accountant::take)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("end");
  }

  /** Another process may have its number by now. */
  @Test
  void take_ofALaterProcess_fails() throws IOException {
    Accountant accountant = new Accountant(process);
    assertThat(accountant.take().resident()).isEqualTo(4 * MIB);
    write("stat", stat("S", START, 101));
    assertThatThrownBy(accountant::take).isInstanceOf(IOException.class);
  }

  @Test
  void take_whenMetaspaceGrew_asksForIt() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    jvm =
        command -> {
          if (!command.equals("VM.metaspace vslist")) {
            return "";
          }
          return node("7e10000000") + (asked.incrementAndGet() > 1 ? node("7e20000000") : "");
        };
    write("smaps", LIBRARY + "Rss: 4096 kB\n" + NODE + "Rss: 8192 kB\n");
    Accountant accountant = new Accountant(process);
    assertThat(accountant.take().bytes(Part.METASPACE)).isEqualTo(8 * MIB);
    accountant.take();
    assertThat(asked).as("asked, although nothing is unexplained").hasValue(1);

    write(
        "smaps",
        LIBRARY + "Rss: 4096 kB\n" + NODE + "Rss: 8192 kB\n" + NEXT_NODE + "Rss: 2048 kB\n");
    Account account = accountant.take();
    assertThat(account.bytes(Part.METASPACE)).isEqualTo(10 * MIB);
    assertThat(account.bytes(Part.UNEXPLAINED)).isZero();
  }

  /** It is not asked each time about memory that is not metaspace. */
  @Test
  void take_whenMuchStaysUnexplained_asksOnce() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    jvm =
        command -> {
          asked.addAndGet(command.equals("VM.metaspace vslist") ? 1 : 0);
          return node("7e10000000");
        };
    Accountant accountant = new Accountant(process);
    accountant.take();
    write("smaps", LIBRARY + "Rss: 4096 kB\n" + NEXT_NODE + "Rss: 2048 kB\n");
    for (int i = 0; i < 4; i++) {
      assertThat(accountant.take().bytes(Part.UNEXPLAINED)).isEqualTo(2 * MIB);
    }
    assertThat(asked).hasValue(2);
  }

  /** Pages that its mappings name are gone whenever somebody looks: this process has none there. */
  @Test
  void take_ofMemoryThatComesAndGoes_saysSo() throws IOException {
    write("smaps", LIBRARY + "Rss: 4096 kB\n" + NEXT_NODE + "Rss: 2048 kB\n");
    assertThat(new Accountant(process).take().limits())
        .anyMatch(limit -> limit.contains("changed while it was read"));
    write("smaps", LIBRARY + "Rss: 4096 kB\n");
    assertThat(new Accountant(process).take().limits())
        .noneMatch(limit -> limit.contains("changed while it was read"));
  }
}
