package dev.offcut.fleet.duckdb;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.Labels;
import dev.offcut.fleet.Source;
import dev.offcut.fleet.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes in what agents have put into a fleet: {@code
 * incoming/service=NAME/version=VERSION/host=HOST/PID-START-NUMBER.tables}. A copy is deleted when
 * its figures count, or when a later one of its process is there. So whoever is killed meanwhile
 * has lost nothing, and two that do it at the same time add the same.
 */
public final class Incoming {
  private static final String NAME = "([A-Za-z0-9][A-Za-z0-9._-]*)";

  private static final Pattern COPY =
      Pattern.compile(
          Fleet.INCOMING
              + ("/service=" + NAME + "/version=" + NAME + "/host=" + NAME)
              + "/([0-9]+-[0-9]+)-([0-9]{1,9})\\.tables");

  private record Copy(String name, Labels labels, String process, int number) {}

  private Incoming() {}

  /**
   * Takes in what is there. What cannot be read is said to {@code listener}, and stays.
   *
   * @return how many processes were taken in
   */
  public static int take(Fleet fleet, FleetAdd.Listener listener) throws Failure {
    if (Store.URL.matcher(fleet.place()).matches()) {
      return 0; // agents know folders only
    }
    Map<String, List<Copy>> processes = new TreeMap<>();
    for (String name : fleet.store().files(Fleet.INCOMING)) {
      Matcher copy = COPY.matcher(name);
      if (copy.matches()) {
        Labels labels = new Labels(copy.group(1), copy.group(2), copy.group(3), false);
        processes
            .computeIfAbsent(labels + " " + copy.group(4), made -> new ArrayList<>())
            .add(new Copy(name, labels, copy.group(4), Integer.parseInt(copy.group(5))));
      }
    }
    Map<String, List<Copy>> byLabels = new TreeMap<>();
    for (List<Copy> process : processes.values()) {
      process.sort(Comparator.comparingInt(Copy::number));
      Copy last = process.getLast();
      byLabels.computeIfAbsent(last.labels.toString(), made -> new ArrayList<>()).add(last);
    }
    int taken = 0;
    for (List<Copy> same : byLabels.values()) {
      taken += take(fleet, same, listener);
    }
    Set<String> unread = Set.copyOf(fleet.store().files(Fleet.INCOMING));
    for (List<Copy> process : processes.values()) {
      if (unread.contains(process.getLast().name)) {
        continue; // an earlier copy may be all there is of it
      }
      for (Copy earlier : process.subList(0, process.size() - 1)) {
        fleet.store().delete(earlier.name);
      }
    }
    return taken;
  }

  private static int take(Fleet fleet, List<Copy> copies, FleetAdd.Listener listener)
      throws Failure {
    List<Path> paths = fleet.store().local(copies.stream().map(Copy::name).toList());
    List<Source> sources = paths.stream().map(path -> new Source(List.of(path))).toList();
    if (FleetAdd.add(sources, fleet, copies.getFirst().labels, listener).skipped() == 0) {
      for (Copy copy : copies) {
        fleet.store().delete(copy.name);
      }
      return copies.size();
    }
    // One of them cannot be read: that one stays.
    int taken = 0;
    for (Copy copy : copies.size() > 1 ? copies : List.<Copy>of()) {
      taken += take(fleet, List.of(copy), saidAlready -> {});
    }
    return taken;
  }
}
