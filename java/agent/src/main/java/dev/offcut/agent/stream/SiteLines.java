package dev.offcut.agent.stream;

import java.util.List;
import java.util.function.BiConsumer;

/** Writes a line a place. A class and no lambda: java.base gets no class at run time for it. */
final class SiteLines implements BiConsumer<String, Site> {
  private final List<String> lines;

  SiteLines(List<String> lines) {
    this.lines = lines;
  }

  @Override
  public void accept(String place, Site site) {
    lines.add(site.line(place));
  }
}
