package dev.offcut.leaks;

import java.util.ArrayList;
import java.util.List;

/** A parser interns each key that it sees, and keeps it. */
public final class Interns {
  private static final int KEYS = 3_000_000;
  private static final int DIFFERENT = 1_000;
  private static final List<String> SEEN = new ArrayList<>();

  private Interns() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    for (int i = 0; i < KEYS; i++) {
      key("key" + (fixed ? i % DIFFERENT : i));
    }
    Observer.end();
    System.out.println("keys " + SEEN.size());
  }

  private static void key(String key) {
    SEEN.add(key.intern()); // the leak
  }
}
