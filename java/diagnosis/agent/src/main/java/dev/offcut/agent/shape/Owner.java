package dev.offcut.agent.shape;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class whose objects own something native, and how that is seen.
 *
 * @param name its internal name
 * @param lineage the class itself and those above it, up to the last one that declares an ender or
 *     a guard
 * @param enders the methods that end what an object owns, the best proven one first
 * @param guards an object is open while all of these fields allow it
 * @param freedBy what frees an object that the program drops
 * @param isCertain whether its objects may be reported without bytes: a field, a finalizer or a
 *     cleaner tells an owner from a view
 */
public record Owner(
    String name,
    List<String> lineage,
    List<Ender> enders,
    List<Guard> guards,
    FreedBy freedBy,
    boolean isCertain) {
  /** What frees an object that the program drops. */
  public enum FreedBy {
    NOBODY,
    FINALIZER,
    CLEANER
  }

  /** Why a method is believed to end its object. */
  public enum Proof {
    /** Its name, and that of the native method that it calls. */
    NAMES,
    /** Its name, and that it clears the handle or a guard. */
    NAME_AND_CLEAR,
    /** The name of the native method, and that it clears the handle or a guard. */
    NATIVE_AND_CLEAR,
    /** Its name, and that the class's finalizer calls it. */
    FINALIZER,
    /** Its name, and that it runs what the constructor made to free the handle. */
    ACTION
  }

  /**
   * A method that ends what an object owns.
   *
   * @param owner the class that declares it
   * @param reached the native method that it calls, empty if that is not looked for; null: it is
   *     native itself
   * @param clears whether it clears a guard, so that the guard shows when it has ended
   */
  public record Ender(
      String owner,
      String name,
      String type,
      Proof proof,
      @Nullable String reached,
      boolean clears) {
    /** Whether it is native itself: no agent can see its calls. */
    public boolean isNative() {
      return reached == null;
    }
  }

  /**
   * A field that says whether an object is open.
   *
   * @param owner the class that declares it
   * @param openIfSet whether an object is open if it is not 0, -1, false or null; else if it is
   * @param isSetByZero whether 0 is a value like others, and only -1 stands for nothing
   */
  public record Guard(
      String owner, String name, String type, boolean openIfSet, boolean isSetByZero) {}

  /** Whether all that ends its objects is native: then no end would be seen. */
  public boolean isEndedNatively() {
    for (Ender ender : enders) {
      if (!ender.isNative()) {
        return false;
      }
    }
    return true;
  }

  /** Why it counts, in a sentence. */
  public String why() {
    Ender first = enders.get(0);
    StringBuilder why = new StringBuilder();
    why.append(first.name()).append("()");
    if (first.isNative()) {
      why.append(" is native and ends a handle");
    } else if (first.proof() == Proof.FINALIZER) {
      why.append(" gets to native code");
    } else if (first.proof() == Proof.ACTION) {
      why.append(" runs what frees the handle");
    } else {
      why.append(" gives a handle to ").append(first.reached()).append(", which is native");
      if (first.proof() != Proof.NAMES) {
        why.append(", and clears it");
      }
    }
    String open = "; open while ";
    for (Guard guard : guards) {
      why.append(open).append(guard.name()).append(guard.openIfSet() ? " is set" : " is not set");
      open = " and ";
    }
    return switch (freedBy) {
      case NOBODY -> why.toString();
      case FINALIZER -> why + "; freed by its finalizer";
      case CLEANER -> why + "; freed by a cleaner";
    };
  }
}
