package dev.offcut.cli.report;

import static dev.offcut.cli.digest.Figures.bytes;
import static dev.offcut.cli.digest.Figures.percent;

import dev.offcut.cli.digest.Digest;
import org.jspecify.annotations.Nullable;

/** Where resident memory is, as a sum whose last line is what is resident. */
public final class ExplainText {
  private ExplainText() {}

  /** The sum, and what to know of it. */
  public static String of(Digest digest, boolean coloured) {
    Text text = new Text(coloured);
    Head.write(text, digest);
    text.append(memory(digest));
    if (digest.memory().part("unexplained") < 0) {
      text.wrapped("", tooMuch(digest.memory().heapTouched()));
    }
    return text.toString();
  }

  private static String tooMuch(boolean heapTouched) {
    String more = "The parts are more than what is resident, for the JVM has committed memory";
    return heapTouched
        ? more + " that was never touched."
        : more
            + ", above all heap, that was never touched. -XX:+AlwaysPreTouch, given to the program,"
            + " touches the heap.";
  }

  static String memory(Digest digest) {
    Digest.Memory memory = digest.memory();
    if (memory.resident() < 0) {
      return new Text(false)
          .line("What is resident is not known: the recording has no offcut.ProcessMemory.")
          .line()
          .toString();
    }
    Table table = new Table().add("Where resident memory is", "", "");
    for (Digest.Part part : memory.parts()) {
      table.add(part.part(), bytes(part.bytes()), share(part.bytes(), memory.resident()));
    }
    table.add(
        "resident", bytes(memory.resident()), limit(memory.resident(), memory.containerLimit()));
    return new Text(false).table(table).line().toString();
  }

  private static String share(long part, long resident) {
    return part < 0 ? "" : percent(part, resident);
  }

  private static String limit(long resident, @Nullable Long limit) {
    return limit == null ? "" : percent(resident, limit) + " of the container's " + bytes(limit);
  }
}
