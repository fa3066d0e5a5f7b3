package dev.offcut.agent.shape;

import java.util.Locale;

/**
 * Words in names of methods that end something. They are a proof only together with what the code
 * does.
 */
final class EndWords {
  private static final String[] ENDS = {
    "close",
    "dispose",
    "deallocate",
    "delete",
    "destroy",
    "destruct",
    "drop",
    "release",
    "free",
    "shutdown",
    "terminate",
    "unpin",
    "uninit",
    "unref",
    "cleanup"
  };

  private static final String[] BEFORE = {"do", "internal", "native", "impl"};

  private static final String[] BEHIND = {
    "all", "internal", "native", "handle", "impl", "object", "reference", "port", "0"
  };

  /** What the names of functions that end something have in them. */
  private static final String[] OF_NATIVES = {
    "free",
    "delete",
    "destroy",
    "destruct",
    "dispose",
    "release",
    "close",
    "unref",
    "dealloc",
    "finaliz",
    "finalis",
    "shutdown",
    "disconnect",
    "terminate",
    "decref",
    "dec_ref",
    "cleanup",
    "uninit",
    "unpin",
    "drop",
    "unmap",
    "unload",
    "abort"
  };

  private EndWords() {}

  /** Whether a method of this name ends its object: {@code close}, {@code doFree0}. */
  static boolean isEnder(String name) {
    String word = name.toLowerCase(Locale.ROOT).replace("_", "");
    return word.equals("end") || isWord(word) || isWord(without(BEFORE, word));
  }

  private static String without(String[] starts, String word) {
    for (String start : starts) {
      if (word.startsWith(start)) {
        return word.substring(start.length());
      }
    }
    return word;
  }

  private static boolean isWord(String word) {
    for (String end : ENDS) {
      if (word.startsWith(end)) {
        return isEmpty(word.substring(end.length()));
      }
    }
    return false;
  }

  /** Whether nothing is left without the words that may stand behind. */
  private static boolean isEmpty(String word) {
    String left = word;
    String before;
    do {
      before = left;
      left = without(BEHIND, left);
    } while (!left.equals(before));
    return left.isEmpty();
  }

  /** Whether a function of this name ends something: {@code sqlite3_finalize}. */
  static boolean endsNative(String name) {
    String word = name.toLowerCase(Locale.ROOT);
    for (String end : OF_NATIVES) {
      if (word.contains(end)) {
        return true;
      }
    }
    return false;
  }
}
