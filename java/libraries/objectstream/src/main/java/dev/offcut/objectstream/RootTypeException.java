package dev.offcut.objectstream;

import java.io.InvalidObjectException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the object that was read does not have the type that the caller asked for. The policy
 * allows the object.
 */
public final class RootTypeException extends InvalidObjectException {
  private static final long serialVersionUID = 1;

  RootTypeException(@Nullable Object found, Class<?> asked) {
    super(
        "the stream holds "
            + (found == null ? "null" : "a " + named(found.getClass()))
            + ", not a "
            + named(asked)
            + (found != null && found.getClass().getName().equals(asked.getName())
                ? "; pass the loader of the type that was asked for to open(…)"
                : "; read it as what it is, or refuse whoever sent it"));
  }

  private static String named(Class<?> type) {
    return type.getName() + " of loader " + type.getClassLoader();
  }
}
