package shop.checked;

import org.junit.jupiter.api.Test;
import shop.Images;

/** Tests without an annotation of their own. */
class PlainTests {
  @Test
  void closes() throws Exception {
    Images.open().close();
  }

  @Test
  void leaks() {
    Images.open();
  }
}
