package dev.offcut.command.judge;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Digest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How a program ended, if that was early: what is not found it may not have come to. */
public final class EndFindings {
  private static final int MOST_PARTS = 3;

  private EndFindings() {}

  /**
   * What the program itself said.
   *
   * @param reason why its main method was never called; or empty
   * @param thrown the class of what its main method threw; or empty
   */
  public static List<Finding> of(String reason, int code, String thrown) {
    if (!reason.isEmpty()) {
      return List.of(
          Finding.of(Severity.NOTE, What.NOT_STARTED).because(new Evidence.Reason(reason)).done());
    }
    return code == 0
        ? List.of()
        : List.of(ended(code).because(new Evidence.End(thrown, true, false, false, null)).done());
  }

  private static Finding.Draft ended(int code) {
    return Finding.of(Severity.NOTE, What.ENDED).count(code, 0);
  }

  private static boolean isEnd(Finding one) {
    return one.what() == What.NOT_STARTED || one.what() == What.ENDED;
  }

  /** Sentences of what the end keeps from being found. */
  public static List<String> limits(List<Finding> findings) {
    return findings.stream().filter(EndFindings::isEnd).map(one -> one.title() + ".").toList();
  }

  /**
   * With what the program, of which these are the findings, ended with.
   *
   * @param wasFull whether the system killed a process of its control group, because that was full
   * @param memory the last that is known of it
   */
  public static List<Finding> withEnd(
      List<Finding> findings, int code, boolean wasFull, Digest.Memory memory, boolean isGo) {
    if (code == 0 || findings.stream().anyMatch(EndFindings::isEnd)) {
      return findings;
    }
    Evidence end = new Evidence.End("", false, isGo, wasFull, memory.containerLimit());
    List<Digest.Part> most =
        memory.parts().stream()
            .sorted(Comparator.comparingLong(Digest.Part::bytes).reversed())
            .limit(MOST_PARTS)
            .toList();
    Evidence last =
        memory.accounted() && Sentences.isUntold(code, isGo)
            ? new Evidence.LastAccount(memory.resident(), most)
            : null;
    List<Finding> all = new ArrayList<>(findings);
    all.add(ended(code).because(end, last).done());
    return all;
  }
}
