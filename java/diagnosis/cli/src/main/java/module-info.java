/**
 * The program behind the command {@code offcut}: runs programs under the agent, and reports about
 * them.
 *
 * <p>Start at {@link dev.offcut.cli.Main}.
 */
module dev.offcut.cli {
  requires com.fasterxml.jackson.core;
  requires dev.offcut.account;
  requires dev.offcut.closeables;
  requires info.picocli;
  requires jdk.attach;
  requires jdk.httpserver;
  requires jdk.jfr;
  requires jdk.unsupported;
  requires static org.jspecify;

  exports dev.offcut.cli;
  exports dev.offcut.cli.show;

  uses dev.offcut.cli.run.FleetWords;
  uses dev.offcut.cli.show.ParquetWriter;

  opens dev.offcut.cli to
      info.picocli;
  opens dev.offcut.cli.run to
      info.picocli;
}
