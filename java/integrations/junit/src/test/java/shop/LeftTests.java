package shop;

import dev.offcut.junit.NoNativeLeaks;
import dev.offcut.junit.Shared;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** Tests that leave something for the next one, and a class that closes nothing of its own. */
@NoNativeLeaks
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LeftTests {
  private Image handedOn;

  @BeforeAll
  void leakOfClass() {
    new Image();
  }

  @Test
  @Order(1)
  @Shared
  void opensForNext() {
    handedOn = new Image();
  }

  @Test
  @Order(2)
  void closesOfPrevious() {
    handedOn.close();
  }

  @Test
  @Order(3)
  @Shared
  void leaksShared() {
    new Image();
  }

  @Test
  @Order(4)
  void opensLate() {
    LateThread.begin();
  }

  @Test
  @Order(5)
  void waitsForLate() throws InterruptedException {
    LateThread.openAndEnd();
  }
}
