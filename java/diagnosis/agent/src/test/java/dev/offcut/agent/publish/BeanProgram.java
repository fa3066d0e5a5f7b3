package dev.offcut.agent.publish;

import dev.offcut.agent.hooks.Looks;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** A program that keeps buffers, and reads the agent's bean or lets two looks of the agent pass. */
final class BeanProgram {
  private BeanProgram() {}

  public static void main(String[] arguments) throws Exception {
    List<ByteBuffer> kept = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      kept.add(ByteBuffer.allocateDirect(1000));
    }
    if (arguments[0].equals("without")) {
      Looks.await(2);
    } else {
      read(new ObjectName(AgentBean.NAME));
    }
    System.out.println("kept " + kept.size());
  }

  private static void read(ObjectName name) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    while (!server.isRegistered(name)) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    System.out.println("version " + server.getAttribute(name, "Version"));
    System.out.println("level " + server.getAttribute(name, "Level"));
    System.out.println("attached " + server.getAttribute(name, "Attached"));
    System.out.println(
        "patched " + String.join(",", (String[]) server.getAttribute(name, "Patched")));
    for (CompositeData kind : (CompositeData[]) server.getAttribute(name, "Resources")) {
      System.out.println(
          kind.get("kind")
              + " "
              + kind.get("opened")
              + " "
              + kind.get("open")
              + " "
              + kind.get("bytes"));
    }
    for (CompositeData site : (CompositeData[]) server.getAttribute(name, "Sites")) {
      System.out.println(
          "site "
              + site.get("kind")
              + " "
              + site.get("opened")
              + " "
              + site.get("open")
              + " "
              + site.get("lost")
              + " "
              + site.get("bytes")
              + " "
              + site.get("line"));
    }
    System.out.println("account " + server.invoke(name, "account", null, null));
  }
}
