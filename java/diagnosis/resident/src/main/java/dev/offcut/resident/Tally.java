package dev.offcut.resident;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many things have which name. One thread. */
final class Tally {
  private final Map<String, Integer> counts = new HashMap<>();

  void add(String name, int more) {
    counts.put(name, counts.getOrDefault(name, 0) + more);
  }

  /** At most so many names that so many things have at least, the most frequent first. */
  List<Account.Group> mostFrequent(int most, int least) {
    List<Account.Group> groups = new ArrayList<>();
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      if (entry.getValue() >= least) {
        groups.add(new Account.Group(entry.getKey(), entry.getValue(), 0));
      }
    }
    groups.sort(
        Comparator.comparing(Account.Group::count).reversed().thenComparing(Account.Group::name));
    return List.copyOf(groups.subList(0, Math.min(most, groups.size())));
  }
}
