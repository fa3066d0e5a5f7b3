package shop;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;

/** A handle of the program whose tests are tested. */
public final class Image extends Handle {
  private static final HandleType TYPE = HandleType.named("image").releaser(value -> {}).create();

  /** Opens an image. */
  public Image() {
    open(() -> 1);
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
