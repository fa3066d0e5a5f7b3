package dev.offcut.bench;

/**
 * What the values of all rounds of one measurement have in common.
 *
 * @param caseName {@code case} in the JSON
 */
record Series(String caseName, String impl, int threads, String gc, Jdk jdk, String metric) {
  static Series of(Case of, Run run, String metric) {
    return new Series(of.name(), run.impl(), run.threads(), run.gc(), run.jdk(), metric);
  }

  /** The same of another implementation. */
  Series by(String other) {
    return new Series(caseName, other, threads, gc, jdk, metric);
  }

  /** The same in another metric. */
  Series in(String other) {
    return new Series(caseName, impl, threads, gc, jdk, other);
  }

  /** Case, collector and threads, in the words of a report; and the JDK, if it is not our own. */
  String place() {
    String other = jdk.equals(Jdk.OWN) ? "" : ", " + jdk.runtime();
    return caseName + ", " + gc + ", " + threads + (threads == 1 ? " thread" : " threads") + other;
  }
}
