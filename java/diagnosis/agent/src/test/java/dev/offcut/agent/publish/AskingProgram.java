package dev.offcut.agent.publish;

import com.sun.tools.attach.VirtualMachine;
import dev.offcut.agent.Presence;
import dev.offcut.agent.Request;
import java.io.File;
import java.util.Objects;

/**
 * A program that asks the agent in it for a recording, twice.
 *
 * <p>Argument: the agent.
 */
public final class AskingProgram {
  private AskingProgram() {}

  public static void main(String[] args) throws Exception {
    String folder = ask(args[0], "first");
    System.out.println("folder " + folder);
    System.out.println("property " + System.getProperty(Presence.REPOSITORY));
    System.out.println("again " + ask(args[0], "second"));
    System.out.println("chunks " + Objects.requireNonNull(new File(folder).list()).length);
  }

  private static String ask(String agent, String name) throws Exception {
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    try {
      self.loadAgent(agent, Request.MARK + Request.RECORD + "," + name);
    } finally {
      self.detach();
    }
    return System.getProperty(Presence.ANSWER + name);
  }
}
