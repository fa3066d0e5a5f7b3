package dev.offcut.account;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a HotSpot JVM on the socket that it opens for tools, as {@code jcmd} does. A JVM opens it
 * when a tool attaches for the first time; whoever uses this attaches before.
 */
final class Jcmd implements JvmRanges.Asked {
  private static final int BUFFER = 64 << 10;

  private final Path socket;

  private Jcmd(Path socket) {
    this.socket = socket;
  }

  /** The socket is in the process's own file system, named after its PID there. */
  static Jcmd of(Path process) throws IOException {
    String name = String.valueOf(process.getFileName());
    for (String line : Files.readAllLines(process.resolve("status"), StandardCharsets.UTF_8)) {
      if (line.startsWith("NSpid:")) {
        name = line.substring(line.lastIndexOf('\t') + 1);
      }
    }
    return new Jcmd(process.resolve("root/tmp/.java_pid" + name));
  }

  boolean isThere() {
    return Files.exists(socket);
  }

  /** Null if it fails: the process may have ended. */
  @Override
  public @Nullable String answer(String command) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      for (String word : List.of("1", "jcmd", command, "", "")) {
        request.writeBytes(word.getBytes(StandardCharsets.UTF_8));
        request.write(0);
      }
      ByteBuffer bytes = ByteBuffer.wrap(request.toByteArray());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
      while (channel.read(buffer) >= 0) {
        answer.write(buffer.array(), 0, buffer.position());
        buffer.clear();
      }
      String text = answer.toString(StandardCharsets.UTF_8);
      int line = text.indexOf('\n');
      // The first line is the status.
      return line >= 0 && text.substring(0, line).trim().equals("0")
          ? text.substring(line + 1)
          : null;
    } catch (IOException e) {
      return null;
    }
  }
}
