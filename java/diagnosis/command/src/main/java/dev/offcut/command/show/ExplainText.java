package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.percent;

import dev.offcut.command.read.Digest;
import dev.offcut.command.show.Text.Head;
import org.jspecify.annotations.Nullable;

/** Where resident memory is, as a sum whose last line is what is resident. */
public final class ExplainText {
  private static final String TOUCH =
      " Start the program with -XX:+AlwaysPreTouch to touch the whole heap.";

  private ExplainText() {}

  /** The sum, and what to know of it. */
  public static String of(Digest digest, boolean coloured) {
    Text text = new Text(coloured);
    Head.write(text, digest);
    text.append(memory(digest));
    return text.toString();
  }

  static String memory(Digest digest) {
    Digest.Memory memory = digest.memory();
    if (memory.resident() < 0) {
      return new Text(false)
          .line(
              digest.target().isGo()
                  ? "Resident memory is not known: the program ended before it was looked at."
                  : "Resident memory is not known: the recording has no offcut.ProcessMemory event.")
          .line()
          .toString();
    }
    Table table = new Table().add("Where resident memory is", "", "");
    for (Digest.Part part : memory.parts()) {
      boolean isKnown = memory.untouched() == 0 || !part.part().equals("unexplained");
      table.add(
          part.part(),
          isKnown ? bytes(part.bytes()) : "unknown",
          isKnown ? share(part.bytes(), memory) : "");
    }
    table.add(
        "resident", bytes(memory.resident()), limit(memory.resident(), memory.containerLimit()));
    Text text = new Text(false).table(table);
    memory.remarks().forEach(remark -> text.wrapped("  ", remark));
    if (memory.untouched() > 0) {
      text.wrapped(
          "  ",
          "Heap, the JVM's own memory and pools are shown as committed, not as resident. At least "
              + bytes(memory.untouched())
              + " of this memory is not resident: it was never touched, or was given back to the system. So"
              + " the unexplained part cannot be computed."
              + (memory.heapTouched() ? "" : TOUCH));
    }
    return text.line().toString();
  }

  /** What was committed is no share of what is resident. */
  private static String share(long part, Digest.Memory memory) {
    return memory.accounted() ? percent(part, memory.resident()) : "";
  }

  private static String limit(long resident, @Nullable Long limit) {
    return limit == null ? "" : percent(resident, limit) + " of the container's " + bytes(limit);
  }
}
