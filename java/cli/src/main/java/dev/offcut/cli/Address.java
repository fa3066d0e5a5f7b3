package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import dev.offcut.cli.web.LiveServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.Option;

/** Where the live page is. */
final class Address {
  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The page's port (default: any that is free).")
  private int port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "The address to listen on (default: ${DEFAULT-VALUE}, this machine alone). On any"
              + " other address, everyone who can reach it and knows the URL reads the page,"
              + " unencrypted.")
  private String bind = "127.0.0.1";

  /** Begins to serve, and says where. */
  LiveServer listen(PrintStream err) throws Failure {
    try {
      LiveServer server = new LiveServer(InetAddress.getByName(bind), port);
      err.println("offcut: live page at " + server.url());
      return server;
    } catch (UnknownHostException e) {
      throw Failure.other("--bind " + bind + " is no address of this machine");
    } catch (IOException | IllegalArgumentException e) {
      throw Failure.other("cannot listen on " + bind + ":" + port + ": " + e.getMessage());
    }
  }
}
