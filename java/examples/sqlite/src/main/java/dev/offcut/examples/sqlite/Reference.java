package dev.offcut.examples.sqlite;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What was imported, as far as answers are checked by it: of each record a fingerprint, and its
 * first cell, the key. Records are numbered from 1. About 100 bytes of heap a record.
 *
 * <p>Filled by one thread, then read by any.
 */
final class Reference {
  /** Of a key: its first and its last record. */
  private static final class Chain {
    final int first;
    int last;

    Chain(int first) {
      this.first = first;
      this.last = first;
    }
  }

  private final Map<String, Chain> chains = new HashMap<>();
  private String[] keys = new String[1024];

  /** By record: the sum of the fingerprints up to it. Sums of a range are one subtraction. */
  private long[] prints = new long[1024];

  /** By record: the sum of the keys' UTF-8 bytes up to it. */
  private long[] bytes = new long[1024];

  /** By record: the next one with the same key, or 0. */
  private int[] next = new int[1024];

  private int count;

  /** Adds the next record. */
  void add(String[] cells) {
    int record = ++count;
    if (record == keys.length) {
      grow();
    }
    String key = cells[0];
    keys[record] = key;
    prints[record] = prints[record - 1] + Fingerprint.of(record, cells);
    bytes[record] = bytes[record - 1] + key.getBytes(StandardCharsets.UTF_8).length;
    Chain chain = chains.computeIfAbsent(key, k -> new Chain(record));
    if (chain.last != record) {
      next[chain.last] = record;
      chain.last = record;
    }
  }

  private void grow() {
    int size = Math.addExact(count, count / 2);
    keys = Arrays.copyOf(keys, size);
    prints = Arrays.copyOf(prints, size);
    bytes = Arrays.copyOf(bytes, size);
    next = Arrays.copyOf(next, size);
  }

  /** How many records there are. */
  int count() {
    return count;
  }

  /** The first cell of a record. */
  String key(int record) {
    return keys[record];
  }

  /** The sum of the fingerprints of the records {@code from} to {@code to}. */
  long prints(int from, int to) {
    return prints[to] - prints[from - 1];
  }

  /** The sum of the keys' bytes of the records {@code from} to {@code to}. */
  long keyBytes(int from, int to) {
    return bytes[to] - bytes[from - 1];
  }

  /** The sum of the fingerprints of the first {@code limit} records with this record's key. */
  long printsOfKey(int record, int limit) {
    Chain chain = chains.get(key(record));
    long sum = 0;
    int at = chain == null ? 0 : chain.first;
    for (int i = 0; at != 0 && i < limit; i++) {
      sum += prints(at, at);
      at = next[at];
    }
    return sum;
  }
}
