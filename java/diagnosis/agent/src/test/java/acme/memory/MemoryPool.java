package acme.memory;

import dev.offcut.agent.hooks.Looks;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Another library's: it has nothing of Offcut's pool but the end of its name. */
public final class MemoryPool {
  private MemoryPool() {}

  public static void main(String[] args) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName agent = new ObjectName("dev.offcut:type=Agent");
    Looks.await(4); // as often as the agent looks for a class that came
    while (!server.isRegistered(agent)) {
      Looks.await(1);
    }
    System.out.println(
        "stoodDown " + String.join(";", (String[]) server.getAttribute(agent, "StoodDown")));
  }
}
