package dev.offcut.objectstream;

/**
 * What is limited, with its default. The defaults keep the worst stream of allowed JDK classes
 * within 64 MiB of heap. Each counts over the whole life of a stream: one stream a message.
 */
public enum Limit {
  /**
   * How deep objects lie in objects: 64. Chains, such as linked nodes of your own, need more. Of
   * collections and records, also by reference. A dimension of an array class counts eight.
   */
  DEPTH("maxDepth", 64),

  /** Objects, references, nulls and class descriptors: 100,000. */
  REFERENCES("maxReferences", 100_000),

  /** Elements of one array, or slots of the table of one collection: 1,000,000. */
  ARRAY_LENGTH("maxArrayLength", 1_000_000),

  /** Bytes taken from the input: 4 MiB. What an array claims is checked before it is allocated. */
  BYTES("maxBytes", 4 << 20),

  /**
   * Elements of one collection when everything it shares is counted as often as it is reached, as
   * {@code hashCode} does: 100,000. Stops sets that are small in bytes and endless to hash.
   */
  EXPANSION("maxExpansion", 100_000),

  /**
   * Steps of hashing and comparing keys and elements while the collections of a stream are read:
   * 10,000,000. Charged before they are taken. A step is an element that is hashed or compared, or
   * 64 characters of a text (4 if a comparator orders it), 8 bits of a big number, or 8 places of a
   * hash table. A collection or record within a key takes 6 more, an element of a set or map 3. A
   * stream of less than 128 KiB may take its part of them alone, but at least 524,288.
   */
  WORK("maxWork", 10_000_000);

  private final String setting;
  private final long byDefault;

  Limit(String setting, long byDefault) {
    this.setting = setting;
    this.byDefault = byDefault;
  }

  /** The method of {@link StreamPolicy.Builder} that sets it. */
  public String setting() {
    return setting;
  }

  /** What it is if it is not set. */
  public long byDefault() {
    return byDefault;
  }
}
