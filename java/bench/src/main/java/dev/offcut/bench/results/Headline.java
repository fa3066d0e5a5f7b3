package dev.offcut.bench.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a source published, beside what was measured here.
 *
 * @param source its title, author and date
 * @param link where it is; null where no lasting address is known
 * @param says its figures' setting, and what differs here
 */
record Headline(
    String title, String source, @Nullable String link, String says, List<Table> tables) {}
