package shop.ng;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;

/** A handle of the program whose tests TestNG runs. */
public final class Picture extends Handle {
  private static final HandleType TYPE = HandleType.named("picture").releaser(value -> {}).create();

  /** Opens it. */
  public Picture() {
    open(() -> 1);
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
