package dev.offcut.replay.report;

import dev.offcut.replay.Result;
import dev.offcut.replay.trace.Trace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One trace under several policies.
 *
 * @param classSpaceBytes the size it ran with
 * @param survivors every so-manieth closed arena stayed open; 0: none
 * @param results one a policy
 */
public record Report(Trace trace, long classSpaceBytes, int survivors, List<Result> results) {
  /** The groups that any result counts. */
  Set<String> groups() {
    Set<String> groups = new LinkedHashSet<>();
    results.forEach(result -> groups.addAll(result.classesByGroup().keySet()));
    return groups;
  }
}
