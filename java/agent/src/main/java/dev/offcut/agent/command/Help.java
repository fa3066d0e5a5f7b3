package dev.offcut.agent.command;

import java.util.List;

/** The text of {@code --help}. */
final class Help {
  private static final String TEXT =
      """
      java -jar offcut-agent.jar WORD

        list                       the JVMs of this user, and whether the agent is in them
        status PID                 what the agent rewrote there, what it left, and its counts
        attach PID [OPTIONS]       puts the agent into a JVM that runs
        report PID [FILE]          what the agent saved there until now
        --help, --version

      java -javaagent:offcut-agent.jar[=OPTIONS] -jar app.jar     the agent from the start

      OPTIONS are key=value, separated by commas:

        enabled, jna, streams, classcache, collections, rmi    on (as all are) or off;
                                   jna and streams: off with a level, unless switched on
        level=LEVEL                what is opened and closed is tracked: off, count, sample, full
        sample=N                   at the level sample one opening in N leaves its stack: 128
        record=FILE                Flight Recorder's recording of it, written at exit;
                                   %p in FILE is the PID, %t the time
        overwrite=on               over a FILE that is there: off, the PID is added to its name
        gcatexit=on                collects at exit, so that what was lost is known: off
        arenas, buffers, unsafe, jnamemory, cleaners, finalizers, forcedgc
                                   what is tracked: on (as all are) or off
        verify=N                   one in N answers of object streams is compared with the JVM's
        report=FILE                the report at exit; stderr instead of FILE prints it there
        options=FILE               more options, one a line
        quiet=on                   stderr has only what is wrong: off

      exit codes: 0 done; 1 failed; 2 not understood; 4 the JVM is gone, another user's,
      no JVM, or closed to agents""";

  private Help() {}

  static List<String> lines() {
    return TEXT.lines().toList();
  }
}
