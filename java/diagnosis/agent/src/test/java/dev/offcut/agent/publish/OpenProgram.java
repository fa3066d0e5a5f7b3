package dev.offcut.agent.publish;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A program that has directory streams, and connections, until its end. */
final class OpenProgram {
  static final int COUNT = 50;

  private OpenProgram() {}

  /** Nothing is needed. */
  public static void main(String[] args) throws Exception {
    List<Stream<Path>> all = new ArrayList<>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> all.forEach(Stream::close)));
    List<Socket> connections = new ArrayList<>();
    ServerSocket server = new ServerSocket(0, COUNT, InetAddress.getLoopbackAddress());
    try {
      for (int i = 0; i < COUNT; i++) {
        all.add(open());
        connections.add(new Socket(server.getInetAddress(), server.getLocalPort()));
        connections.add(server.accept());
        Thread.sleep(20); // which takes the second in which rows are published
      }
      Thread.sleep(1_500);
    } finally {
      Reference.reachabilityFence(connections);
    }
  }

  @SuppressWarnings("StreamResourceLeak") // a hook closes it
  private static Stream<Path> open() throws IOException {
    return Files.list(Path.of("/"));
  }
}
