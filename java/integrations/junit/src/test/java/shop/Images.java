package shop;

/** Images for tests of other packages. */
public final class Images {
  private Images() {}

  /** Opens an image. */
  public static AutoCloseable open() {
    return new Image();
  }
}
