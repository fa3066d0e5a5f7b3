package dev.offcut.retrofit;

import com.sun.tools.attach.VirtualMachine;
import dev.offcut.retrofit.jna.MemoryProgram;

/** A program that attaches the agent to itself, and then uses JNA. */
public final class AttachingProgram {
  private AttachingProgram() {}

  /** The arguments: the agent's jar, and early or late. */
  public static void main(String[] args) throws Exception {
    if (args[1].equals("late")) {
      MemoryProgram.main(new String[] {"use"});
    }
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    self.loadAgent(args[0]);
    self.detach();
    MemoryProgram.main(new String[] {"dispose"});
    MemoryProgram.main(new String[] {"close"});
  }
}
