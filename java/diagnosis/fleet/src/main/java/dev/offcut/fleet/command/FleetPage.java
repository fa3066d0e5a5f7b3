package dev.offcut.fleet.command;

import dev.offcut.command.show.Page;
import dev.offcut.fleet.Engine;
import dev.offcut.fleet.FleetReport;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The report of a fleet as one page that needs nothing but itself. */
final class FleetPage {
  private static final String PROCESSES = "processes";

  private FleetPage() {}

  /**
   * The page, as UTF-8.
   *
   * @param file where it will stand
   * @param pages the folder with the pages of the processes, to which it links; null: it has no
   *     links
   */
  static byte[] of(FleetReport report, Path file, @Nullable Path pages) {
    FleetReport shown =
        pages == null ? report : report.with(PROCESSES, linked(report, file, pages));
    return Page.of("fleet", "fleet · offcut", ReportText.of(report), shown.json());
  }

  /** The processes, with a column more: the address of the page of each that has one. */
  private static Engine.Answer linked(FleetReport report, Path file, Path pages) {
    Engine.Answer processes = report.section(PROCESSES);
    int name = processes.columns().indexOf("name");
    List<String> columns = new ArrayList<>(processes.columns());
    columns.add("page");
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (List<@Nullable Object> row : processes.rows()) {
      List<@Nullable Object> wider = new ArrayList<>(row);
      wider.add(address(String.valueOf(row.get(name)), file, pages));
      rows.add(wider);
    }
    return new Engine.Answer(columns, rows);
  }

  /**
   * The page of a run or of a recording has its name, with another ending. The address goes from
   * the fleet's page to it, so that both can be moved together.
   */
  private static @Nullable String address(String name, Path file, Path pages) {
    Path page = pages.resolve(name.replaceFirst("[.][^.]*$", "") + ".html").toAbsolutePath();
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isRegularFile(page)) {
      return null;
    }
    String relative = folder.normalize().relativize(page.normalize()).toString();
    try {
      // It quotes blanks. Without the dot, what stands before a colon would be a scheme.
      return new URI(null, null, "./" + relative.replace('\\', '/'), null).toASCIIString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e); // a path alone has no syntax to break
    }
  }
}
