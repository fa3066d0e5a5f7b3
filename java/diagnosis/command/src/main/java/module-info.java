/**
 * The program behind the command {@code offcut}: runs programs under the agent, and reports about
 * them.
 *
 * <p>Start at {@link dev.offcut.command.Main}.
 */
module dev.offcut.command {
  requires com.fasterxml.jackson.core;
  requires dev.offcut.resident;
  requires dev.offcut.rules;
  requires info.picocli;
  requires jdk.attach;
  requires jdk.httpserver;
  requires jdk.jfr;
  requires jdk.unsupported;
  requires static org.jspecify;

  exports dev.offcut.command;
  exports dev.offcut.command.show;

  uses dev.offcut.command.run.FleetWords;

  opens dev.offcut.command to
      info.picocli;
  opens dev.offcut.command.run to
      info.picocli;
}
