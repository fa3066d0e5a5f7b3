package shop;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;

/** Images for tests of other packages. */
public final class Images {
  private Images() {}

  /** Opens an image. */
  public static AutoCloseable open() {
    return new Image();
  }
}

/** A handle of the program whose tests are tested. */
final class Image extends Handle {
  private static final HandleType TYPE = HandleType.named("image").releaser(value -> {}).create();

  Image() {
    open(() -> 1);
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
