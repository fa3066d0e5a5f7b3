package dev.offcut.objectstream;

/**
 * The limits of a stream, with their defaults. With the defaults, the worst stream of allowed JDK
 * classes fits into a heap of 64 MiB. Each limit counts over the whole life of a stream: use one
 * stream per message.
 */
public enum Limit {
  /**
   * Nesting of objects: 64. For collections and records also nesting by reference. Each dimension
   * of an array class counts 8. Chains such as linked nodes of your own need more.
   */
  DEPTH("maxDepth", 64),

  /**
   * Objects, references, nulls, class descriptors and their fields, and the lengths that arrays and
   * tables declare: 100,000.
   */
  REFERENCES("maxReferences", 100_000),

  /** Elements of one array, or slots of the table of one collection: 1,000,000. */
  ARRAY_LENGTH("maxArrayLength", 1_000_000),

  /**
   * Bytes read from the input: 4 MiB. The declared size of an array is checked before allocation.
   */
  BYTES("maxBytes", 4 << 20),

  /**
   * Elements of one collection, counting a shared element each time it is reached, as {@code
   * hashCode} does: 100,000. Stops sets that are small in bytes but take for ever to hash.
   */
  EXPANSION("maxExpansion", 100_000),

  /**
   * Steps of hashing and comparing keys and elements while the collections of a stream are read:
   * 10,000,000. Charged before the work is done.
   *
   * <p>One step is an element that is hashed or compared, 64 characters of a text (4 if a
   * comparator orders it), 8 bits of a big number, or 8 slots of a hash table. A collection or
   * record inside a key takes 6 steps more; an element of a set or map inside a key takes 3 more.
   *
   * <p>A stream of less than 128 KiB may use only a part of the steps, in proportion to the bytes
   * read, but at least 524,288.
   */
  WORK("maxWork", 10_000_000);

  private final String setting;
  private final long byDefault;

  Limit(String setting, long byDefault) {
    this.setting = setting;
    this.byDefault = byDefault;
  }

  /**
   * Returns the name of the method of {@link StreamPolicy.Builder} that sets this limit.
   *
   * @return for example {@code maxDepth}
   */
  public String setting() {
    return setting;
  }

  /**
   * Returns the value of this limit if it is not set.
   *
   * @return the default, in the unit of this limit
   */
  public long byDefault() {
    return byDefault;
  }
}
