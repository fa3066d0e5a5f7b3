package dev.offcut.longmap;

/** The maps that every test of behaviour looks at: between them, they take every path. */
enum Shape {
  DEFAULT(3, 3, false),
  PRESIZED(7, 7, false),
  ONE_BUCKET(0, 0, true),
  FOUR_BUCKETS(2, 0, true),
  SHELVES(14, 0, true);

  private final int bits;
  private final int floor;
  private final boolean eager;

  Shape(int bits, int floor, boolean eager) {
    this.bits = bits;
    this.floor = floor;
    this.eager = eager;
  }

  <V> ConcurrentLongMap<V> map() {
    return new ConcurrentLongMap<>(bits, floor, eager);
  }
}
