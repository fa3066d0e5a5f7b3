package dev.offcut.agent.hooks;

import com.sun.tools.attach.VirtualMachine;
import dev.offcut.agent.Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that has direct buffers, and a block of Unsafe, when the agent is attached; it forgets
 * those, frees this, opens and forgets as many, and allocates blocks of which it frees some.
 *
 * <p>Argument: the agent.
 */
public final class LateProgram {
  private LateProgram() {}

  public static void main(String[] args) throws Exception {
    List<ByteBuffer> before = allocate();
    Object block = TrackedProgram.unsafe("allocateMemory", 100L);
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    self.loadAgent(args[0], "level=full,gcatexit=on,missed=12345678,tables=" + args[1]);
    self.loadAgent(args[0], Request.MARK + Request.RECORD + ",folder");
    self.detach();
    System.out.println("before " + before.size());
    before = List.of();
    System.out.println("after " + allocate().size() + before.size());
    TrackedProgram.unsafe("freeMemory", block);
    for (int i = 0; i < 10; i++) {
      Object another = TrackedProgram.unsafe("allocateMemory", 100L);
      if (i < 4) {
        TrackedProgram.unsafe("freeMemory", another);
      }
    }
  }

  private static List<ByteBuffer> allocate() {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      buffers.add(ByteBuffer.allocateDirect(100));
    }
    return buffers;
  }
}
