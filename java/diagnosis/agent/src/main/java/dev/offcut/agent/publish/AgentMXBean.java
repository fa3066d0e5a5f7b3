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
  interface Site {
    /** As in {@link Resource}. */
    String getKind();

    /** Its stack, innermost frame first. */
    String[] getStack();

    /** The line of the program, which is one of the frames. */
    String getLine();

    long getOpened();

    long getLost();

    long getOpen();

    /** Bytes of what is open. */
    long getBytes();

    long getLostBytes();
  }

  /** The counts of one kind, as of the event {@code offcut.ResourceStatistics}. */
  interface Resource {
    /** Its name, such as {@code buffer.direct} or {@code closeable:CLASS}. */
    String getKind();

    long getOpened();

    /** Closed by the program. */
    long getClosed();

    /** Released by the collector. */
    long getCollected();

    /** Unreachable, and never released. */
    long getLost();

    /** opened - closed - collected - lost. */
    long getOpen();

    /** Bytes of what is open. */
    long getBytes();

    /** Bytes of all that was opened. */
    long getOpenedBytes();

    /** Bytes of what is lost. */
    long getLostBytes();

    /** The most bytes that were open at once. */
    long getPeakBytes();

    /** Whether this JDK is shown to be counted rightly; the label of a {@code Proof.State}. */
    String getProof();
  }
}
