package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Jvm;
import dev.offcut.command.read.Sources;
import dev.offcut.command.read.Sources.LiveTables;
import dev.offcut.command.run.SourceCommand.Redact;
import dev.offcut.command.show.DigestJson;
import dev.offcut.command.show.LiveServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code offcut web}. */
@Command(
    name = "web",
    addMethodSubcommands = false,
    description =
        "Shows a running program, a run or a recording as a page in a browser, until Ctrl-C or"
            + " until the program ends.")
public final class WebCommand extends Word {
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** For open pages to get the last that is known. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  @Parameters(
      paramLabel = "SRC",
      description =
          "The PID of a program, the file of a run (*.offcut), a recording, or a directory of"
              + " recordings.")
  private String source = "";

  @Mixin private final Address address = new Address();

  @Mixin private final Redact redact = new Redact();

  public WebCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws Failure {
    try {
      return Sources.isPid(source) ? live(Sources.pid(source)) : recorded();
    } catch (IOException e) {
      throw Failure.other(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.OK;
    }
  }

  private int live(long pid) throws Failure, IOException, InterruptedException {
    if (!Sources.hasTables(pid)) {
      Jvm.withAgent(pid); // or there is nothing to show
    }
    AtomicReference<Digest> last = new AtomicReference<>();
    try (LiveServer server = address.listen(err);
        LiveTables _ =
            Sources.live(
                pid,
                digest -> {
                  last.set(digest);
                  server.publish(DigestJson.of(redact.apply(digest)), false);
                })) {
      while (Jvm.isAlive(pid)) {
        Thread.sleep(PERIOD);
      }
      Digest known = last.get();
      if (known != null) {
        server.publish(DigestJson.of(redact.apply(known)), true);
        Thread.sleep(GRACE);
      }
    }
    err.println("offcut: the program " + pid + " has ended");
    return ExitCode.OK;
  }

  private int recorded() throws Failure, InterruptedException {
    String json = DigestJson.of(redact.apply(Sources.read(Sources.found(source)).digest()));
    try (LiveServer server = address.listen(err)) {
      server.publish(json, true);
      Thread.sleep(Duration.ofDays(Integer.MAX_VALUE)); // until Ctrl-C
    }
    return ExitCode.OK;
  }

  static final class Address {
    @Option(
        names = "--port",
        paramLabel = "PORT",
        description = "The page's port (default: any that is free).")
    private int port;

    @Option(
        names = "--bind",
        paramLabel = "ADDRESS",
        description =
            "The address to listen on (default: ${DEFAULT-VALUE}, this machine alone). On another"
                + " address, everyone who reaches it and knows the URL can read the page,"
                + " unencrypted.")
    private String bind = "127.0.0.1";

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
}
