package dev.offcut.objectstream;

/**
 * The limits of a stream and their defaults. {@link StreamPolicy.Builder} sets them. With the
 * defaults, the worst stream of allowed JDK classes fits into a heap of 64 MiB. The limits on
 * references, bytes and steps count over the whole life of a stream, so use one stream per message.
 */
public enum Limit {
  /**
   * Nesting of objects. The default is 64. References between collections and records count as
   * nesting, too. In an array class of two or more dimensions, each dimension counts 8. A linked
   * list of your own classes needs one level per node.
   */
  DEPTH("maxDepth", 64),

  /**
   * Objects and references. The default is 100,000. Each of these counts is limited separately:
   * objects; references, as {@link java.io.ObjectInputFilter.FilterInfo#references} counts them;
   * nulls; fields of class descriptors; and the slots that reference arrays and hash tables
   * declare, where eight slots count as one reference.
   */
  REFERENCES("maxReferences", 100_000),

  /** Elements of one array, or slots of one hash table. The default is 1,000,000. */
  ARRAY_LENGTH("maxArrayLength", 1_000_000),

  /**
   * Bytes read from the input. The default is 4 MiB. The declared size of an array is checked
   * before the array is allocated.
   */
  BYTES("maxBytes", 4 << 20),

  /**
   * Elements that one collection reaches, through nested collections, too. An element that is
   * reached in two ways counts twice, because {@code hashCode} visits it twice. The default is
   * 100,000. This limit stops nested sets that are small in bytes but would hash for ever.
   */
  EXPANSION("maxExpansion", 100_000),

  /**
   * Steps of hashing and comparing keys and elements, for all collections of a stream. The default
   * is 10,000,000. Steps are charged before the work is done.
   *
   * <p>Each of these is one step: an element that is hashed or compared, 64 characters of a text (4
   * characters if a comparator orders it), 8 bits of a big number, or 8 slots of a hash table. A
   * collection or record inside a key takes 6 steps more. An element of a set or map inside a key
   * takes 3 steps more.
   *
   * <p>A stream shorter than 128 KiB may use only a part of the steps. The part is proportional to
   * the bytes read so far, and is at least 524,288 steps.
   */
  WORK("maxWork", 10_000_000);

  private final String setting;
  private final long byDefault;

  Limit(String setting, long byDefault) {
    this.setting = setting;
    this.byDefault = byDefault;
  }

  /**
   * Returns the name of the {@link StreamPolicy.Builder} method that sets this limit.
   *
   * @return for example {@code maxDepth}
   */
  public String setting() {
    return setting;
  }

  /**
   * Returns the value of this limit in a policy that does not set it.
   *
   * @return the default, in the unit of this limit
   */
  public long byDefault() {
    return byDefault;
  }
}
