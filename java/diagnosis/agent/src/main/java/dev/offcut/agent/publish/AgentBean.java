package dev.offcut.agent.publish;

import dev.offcut.agent.Messages;
import dev.offcut.agent.Presence;
import dev.offcut.agent.Tracking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/**
 * The agent's bean. It is registered when the program has the platform's MBean server, and the
 * agent never makes one: that would cost a program that has none a tenth of a second at its start.
 */
public final class AgentBean implements AgentMXBean {
  static final String NAME = "dev.offcut:type=Agent";

  /** Whoever makes an MBean server has this class loaded first. */
  public static final String SERVERS = "javax/management/MBeanServerFactory";

  /** A bean that only the platform's server has. */
  private static final String OF_PLATFORM = "java.lang:type=Runtime";

  private static final int MOST_SITES = 50;

  private final Tracking tracking;
  private final OwnAccount account;

  private AgentBean(Tracking tracking, OwnAccount account) {
    this.tracking = tracking;
    this.account = account;
  }

  /** Registers it, unless the platform's server is not there yet: false. */
  static boolean register(Tracking tracking, OwnAccount account) {
    try {
      for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
        if (server.isRegistered(new ObjectName(OF_PLATFORM))) {
          server.registerMBean(new AgentBean(tracking, account), new ObjectName(NAME));
          return true;
        }
      }
      return false;
    } catch (InstanceAlreadyExistsException e) {
      Messages.note("there is a bean of the name " + NAME + " already, so the agent has none");
    } catch (JMException | RuntimeException | LinkageError e) {
      Messages.note("the agent has no bean in JMX (" + e + ")");
    }
    return true;
  }

  @Override
  public String getVersion() {
    return Presence.version();
  }

  @Override
  public String getLevel() {
    return tracking.settings().level().label();
  }

  @Override
  public boolean isAttached() {
    return tracking.settings().late();
  }

  @Override
  public String[] getPatched() {
    return tracking.patched().toArray(new String[0]);
  }

  @Override
  public String[] getStoodDown() {
    return tracking.stoodDown().toArray(new String[0]);
  }

  @Override
  public Resource[] getResources() {
    List<Resource> resources = new ArrayList<>();
    try {
      for (Ledger.KindCounts kind : Ledger.kinds(tracking)) {
        resources.add(new Resource(kind));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the counts could not be read: " + e); // for any client's JVM
    }
    return resources.toArray(new Resource[0]);
  }

  @Override
  public Site[] getSites() {
    try {
      return Ledger.sites().stream()
          .filter(site -> !site.isFilled() && (site.lost() > 0 || site.open() > 0))
          .sorted(
              Comparator.comparingLong(Ledger.SiteCounts::lost)
                  .thenComparingLong(Ledger.SiteCounts::open)
                  .reversed())
          .limit(MOST_SITES)
          .map(Site::new)
          .toArray(Site[]::new);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the call sites could not be read: " + e); // as above
    }
  }

  @Override
  public String account() {
    return account.take();
  }
}
