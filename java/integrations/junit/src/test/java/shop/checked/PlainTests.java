package shop.checked;

import org.junit.jupiter.api.Test;
import shop.Image;

/** Tests without an annotation of their own. */
class PlainTests {
  @Test
  void closes() {
    new Image().close();
  }

  @Test
  void leaks() {
    new Image();
  }
}
