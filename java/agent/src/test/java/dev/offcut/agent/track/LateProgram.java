package dev.offcut.agent.track;

import com.sun.tools.attach.VirtualMachine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that has direct buffers when the agent is attached, forgets them, and opens and forgets
 * as many.
 *
 * <p>Argument: the agent.
 */
public final class LateProgram {
  private LateProgram() {}

  public static void main(String[] args) throws Exception {
    List<ByteBuffer> before = allocate();
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    self.loadAgent(args[0], "level=full,gcatexit=on,report=stderr");
    self.detach();
    System.out.println("before " + before.size());
    before = List.of();
    System.out.println("after " + allocate().size() + before.size());
  }

  private static List<ByteBuffer> allocate() {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      buffers.add(ByteBuffer.allocateDirect(100));
    }
    return buffers;
  }
}
