package dev.offcut.resident;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a HotSpot JVM on the socket that it opens for tools, as {@code jcmd} does. A JVM opens it
 * when a tool attaches for the first time; whoever uses this attaches before.
 *
 * <p>From JDK 25 on, a JVM writes an answer piece by piece while it makes it, some of them at a
 * safepoint: {@code VM.metaspace vslist} then stops its threads for 50 ms, and a reader that stops
 * holds them. Such a JVM is told to make the whole answer first, as all older ones do.
 */
public final class Jcmd implements JvmRanges.Asked {
  private static final int BUFFER = 64 << 10;

  /**
   * Only numbers are looked for in its answer. In UTF-8, each of 50,000 bytes is looked at first.
   */
  private static final String LONG = "VM.info";

  /** What a JVM that can write piece by piece tells among its options. */
  private static final String STREAMING = "streaming";

  private final long pid;
  private final Path socket;

  /** How long a JVM may take until it begins to answer. */
  private final Duration patience;

  private @Nullable Boolean streams;

  private Jcmd(long pid, Path socket, Duration patience) {
    this.pid = pid;
    this.socket = socket;
    this.patience = patience;
  }

  /**
   * Asks a JVM one command of {@code jcmd}; null if it fails, does not answer in time, or no tool
   * has attached to it before.
   */
  public static @Nullable String ask(long pid, String command, Duration patience) {
    try {
      Jcmd jvm = of(Path.of("/proc", String.valueOf(pid))).within(patience);
      return jvm.isThere() ? jvm.answer(command) : null;
    } catch (IOException e) {
      return null;
    }
  }

  static Jcmd of(Path process) throws IOException {
    String name = String.valueOf(process.getFileName());
    long pid = name.equals("self") ? ProcessHandle.current().pid() : number(name);
    return new Jcmd(pid, socket(process), Conversation.PATIENCE);
  }

  /** That of a folder which only looks like one of a process: no other has it. */
  private static long number(String name) {
    return name.matches("[0-9]{1,10}") ? Long.parseLong(name) : -1;
  }

  /** The socket is in the process's own file system, named after its PID there. */
  private static Path socket(Path process) throws IOException {
    String name = String.valueOf(process.getFileName());
    for (String line : Files.readAllLines(process.resolve("status"), StandardCharsets.UTF_8)) {
      if (line.startsWith("NSpid:")) {
        name = line.substring(line.lastIndexOf('\t') + 1);
      }
    }
    return process.resolve("root/tmp/.java_pid" + name);
  }

  /**
   * The socket on which a JVM answers tools, once one has attached to it.
   *
   * @param pid the id of its process
   * @return the file, which need not be there
   * @throws IOException if there is no such process
   */
  public static Path socket(long pid) throws IOException {
    return socket(Path.of("/proc", String.valueOf(pid)));
  }

  /** The same with another patience. */
  Jcmd within(Duration other) {
    return new Jcmd(pid, socket, other);
  }

  boolean isThere() {
    return Files.exists(socket);
  }

  /** Null if it fails: the process may have ended. */
  @Override
  public @Nullable String answer(String command) {
    if (streams == null) {
      String options = exchange(first("getversion", "options"), StandardCharsets.UTF_8);
      streams = options != null && options.contains(STREAMING);
    }
    return exchange(
        streams ? second("jcmd " + STREAMING + "=0", command) : first("jcmd", command),
        command.equals(LONG) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  /** A request in the protocol's first version: it, an operation, and three arguments. */
  private static byte[] first(String operation, String argument) {
    return words("1", operation, argument, "", "");
  }

  /** In its second version: how many bytes follow, and then as many arguments as there are. */
  private static byte[] second(String operation, String argument) {
    byte[] request = words(operation, argument);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(words("2", String.valueOf(request.length)));
    whole.writeBytes(request);
    return whole.toByteArray();
  }

  private static byte[] words(String... words) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String word : words) {
      bytes.writeBytes(word.getBytes(StandardCharsets.UTF_8));
      bytes.write(0);
    }
    return bytes.toByteArray();
  }

  private @Nullable String exchange(byte[] request, Charset charset) {
    try {
      return text(Conversation.ask(pid, patience, heard -> answer(request, heard)), charset);
    } catch (Conversation.Unanswered | ExecutionException e) {
      return null;
    }
  }

  private ByteArrayOutputStream answer(byte[] request, Conversation conversation)
      throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer bytes = ByteBuffer.wrap(request);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
      while (channel.read(buffer) >= 0) {
        conversation.heard();
        answer.write(buffer.array(), 0, buffer.position());
        buffer.clear();
      }
      return answer;
    }
  }

  /** What stands behind the first line, which is the status; null if that is not 0. */
  private static @Nullable String text(ByteArrayOutputStream answer, Charset charset) {
    String text = answer.toString(charset);
    int line = text.indexOf('\n');
    return line >= 0 && text.substring(0, line).trim().equals("0")
        ? text.substring(line + 1)
        : null;
  }
}
