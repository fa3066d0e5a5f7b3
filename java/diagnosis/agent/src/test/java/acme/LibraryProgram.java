package acme;

import java.util.ArrayList;
import java.util.List;
import junit.DeepLibrary;

/**
 * Opens buffers in two places, below many frames of a library. It is in a package of no library.
 */
public final class LibraryProgram {
  /** At each place. */
  public static final int OPENED = 15_000;

  private static final int FRAMES = 25;
  private static final int MORE_FRAMES = 70;

  private LibraryProgram() {}

  public static void main(String[] args) {
    List<Object> held = new ArrayList<>();
    for (int i = 0; i < OPENED; i++) {
      held.add(first());
      held.add(second());
    }
    System.out.println(held.size());
  }

  private static Object first() {
    return DeepLibrary.open(FRAMES);
  }

  private static Object second() {
    return DeepLibrary.open(MORE_FRAMES);
  }
}
