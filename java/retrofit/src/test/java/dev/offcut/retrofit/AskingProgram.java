package dev.offcut.retrofit;

import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayInputStream;

/** A program that reads objects, and asks the agent in it what it did; prints the answers. */
public final class AskingProgram {
  private static final int READS = 50;

  /** In each turn: two an object, as long as elements of some collections have their own. */
  static final int WALKS = 4 * READS;

  private AskingProgram() {}

  /** The argument: the agent's jar. */
  public static void main(String[] args) throws Exception {
    read();
    ask(args[0], "status");
    ask(args[0], "report");
    read();
    ask(args[0], "report");
    ask(args[0], "other");
  }

  private static void read() throws Exception {
    System.setIn(new ByteArrayInputStream(new byte[0]));
    ManyReadsProgram.main(new String[] {String.valueOf(READS)});
  }

  private static void ask(String agent, String word) throws Exception {
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    try {
      self.loadAgent(agent, "?" + word + ",test");
    } finally {
      self.detach();
    }
    System.out.println(word);
    System.out.println(System.getProperty("offcut.retrofit.answer.test"));
  }
}
