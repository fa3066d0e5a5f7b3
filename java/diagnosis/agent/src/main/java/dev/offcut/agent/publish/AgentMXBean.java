package dev.offcut.agent.publish;

/**
 * What the agent counts, for whoever reads it inside the program: {@code
 * java/integrations/metrics}, JConsole, an exporter of JMX. The name is {@link AgentBean#NAME}.
 *
 * <p>Any thread may call it. Each attribute is read anew.
 */
public interface AgentMXBean {
  /** The version of the agent's jar. */
  String getVersion();

  /** The level: {@code count}, {@code sample} or {@code full}. */
  String getLevel();

  /** Whether the agent came to a program that ran: what was open before is in no count. */
  boolean isAttached();

  /** What is counted, in words. */
  String[] getPatched();

  /** What is not counted and why, a sentence each. */
  String[] getStoodDown();

  /** The counts of all kinds that are counted. */
  Resource[] getResources();

  /**
   * The call sites with most that is lost, then with most that is open, 50 at most; none at the
   * level {@code count}. At the level {@code sample} their figures are estimates.
   */
  Site[] getSites();

  /**
   * Takes an account of the process's resident memory. That takes a few milliseconds to some
   * hundred.
   *
   * @return JSON, {@code offcut.accounts/1}; without an account if it failed
   */
  String account();

  /** What became of what one call site opened. */
  final class Site {
    private final Ledger.SiteCounts counts;

    Site(Ledger.SiteCounts counts) {
      this.counts = counts;
    }

    /** As in {@link Resource}. */
    public String getKind() {
      return counts.kind();
    }

    /** Its stack, innermost frame first. */
    public String[] getStack() {
      return counts.frames().split("\n", -1);
    }

    /** The line of the program, which is one of the frames. */
    public String getLine() {
      return getStack()[counts.line()];
    }

    public long getOpened() {
      return counts.opened();
    }

    public long getLost() {
      return counts.lost();
    }

    public long getOpen() {
      return counts.open();
    }

    /** Bytes of what is open. */
    public long getBytes() {
      return counts.bytes();
    }

    public long getLostBytes() {
      return counts.lostBytes();
    }
  }

  /** The counts of one kind, as of the event {@code offcut.ResourceStatistics}. */
  final class Resource {
    private final Ledger.KindCounts counts;

    Resource(Ledger.KindCounts counts) {
      this.counts = counts;
    }

    /** Its name, such as {@code buffer.direct} or {@code closeable:CLASS}. */
    public String getKind() {
      return counts.kind();
    }

    public long getOpened() {
      return counts.opened();
    }

    /** Closed by the program. */
    public long getClosed() {
      return counts.closed();
    }

    /** Released by the collector. */
    public long getCollected() {
      return counts.collected();
    }

    /** Unreachable, and never released. */
    public long getLost() {
      return counts.lost();
    }

    /** opened - closed - collected - lost. */
    public long getOpen() {
      return counts.open();
    }

    /** Bytes of what is open. */
    public long getBytes() {
      return counts.bytes();
    }

    /** Bytes of all that was opened. */
    public long getOpenedBytes() {
      return counts.openedBytes();
    }

    /** Bytes of what is lost. */
    public long getLostBytes() {
      return counts.lostBytes();
    }

    /** The most bytes that were open at once. */
    public long getPeakBytes() {
      return counts.peakBytes();
    }

    /** Whether this JDK is shown to be counted rightly; the label of a {@code Proof.State}. */
    public String getProof() {
      return counts.proof();
    }
  }
}
