package dev.offcut.agent.rules;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server and its client in one: of ten connections, the server forgets four. */
final class AcceptingProgram {
  private AcceptingProgram() {}

  public static void main(String[] args) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 10; i++) {
        try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
          Socket accepted = server.accept();
          if (!accepted.isConnected() || !client.isConnected()) {
            throw new IllegalStateException("not connected");
          }
          if (i < 6) {
            accepted.close();
          }
        }
      }
    }
  }
}
