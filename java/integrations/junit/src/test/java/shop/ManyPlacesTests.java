package shop;

import dev.offcut.junit.NoNativeLeaks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test with so much open at once that the agent cannot keep all of it apart. */
@NoNativeLeaks
class ManyPlacesTests {
  private final List<Long> blocks = new ArrayList<>();

  @Test
  void opensAtTooManyPlaces() {
    open(4); // 38,416 stacks
    blocks.forEach(Native::free);
  }

  private void open(int depth) {
    if (depth == 0) {
      blocks.add(Native.allocate());
      return;
    }
    for (int way = 0; way < 14; way++) {
      open(depth, way);
    }
  }

  /** Fourteen lines, for as many stacks. */
  private void open(int depth, int way) {
    switch (way) {
      case 0 -> open(depth - 1);
      case 1 -> open(depth - 1);
      case 2 -> open(depth - 1);
      case 3 -> open(depth - 1);
      case 4 -> open(depth - 1);
      case 5 -> open(depth - 1);
      case 6 -> open(depth - 1);
      case 7 -> open(depth - 1);
      case 8 -> open(depth - 1);
      case 9 -> open(depth - 1);
      case 10 -> open(depth - 1);
      case 11 -> open(depth - 1);
      case 12 -> open(depth - 1);
      default -> open(depth - 1);
    }
  }
}
