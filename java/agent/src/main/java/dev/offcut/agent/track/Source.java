package dev.offcut.agent.track;

import dev.offcut.agent.Option;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where resources come from: which classes are rewritten, and which switch rules it. */
public enum Source {
  /** Arenas of the JDK. */
  ARENAS(Option.ARENAS, "arenas"),
  /** Direct buffers. */
  BUFFERS(Option.BUFFERS, "direct buffers");

  /** Its switch. */
  public final Option option;

  /** What it is called in lines for people. */
  final String label;

  Source(Option option, String label) {
    this.option = option;
    this.label = label;
  }

  /** What is counted of it. */
  List<Integer> kinds() {
    return switch (this) {
      case ARENAS -> List.of(Kind.CONFINED, Kind.SHARED, Kind.AUTOMATIC);
      case BUFFERS -> List.of(Kind.BUFFER);
    };
  }

  /** The internal names of its classes. */
  List<String> classes() {
    return switch (this) {
      case ARENAS -> ArenaClasses.NAMES;
      case BUFFERS -> List.of(BufferClass.NAME);
    };
  }

  /** The class file of one of its classes as it is to be, or null: as it is. */
  byte @Nullable [] rewrite(String name, byte[] file) throws UnknownShapeException {
    return switch (this) {
      case ARENAS -> ArenaClasses.rewrite(name, file);
      case BUFFERS -> BufferClass.rewrite(file);
    };
  }
}
