package dev.offcut.junit;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Leaks that are known: the strings of {@link NoNativeLeaks#ignore()} and of a file, by the place
 * where they stand, an annotated element or the file. A string that has matched nothing is told
 * when its class, or the run, has ended.
 */
final class Ignored {
  /** JUnit's configuration parameter with the name of the file. */
  static final String FILE = "offcut.junit.ignore";

  private static volatile Lines file = new Lines("", List.of(), null);

  /** By the place where they stand: the strings that have matched nothing by now. */
  private static final Map<Object, Set<String>> UNUSED = new ConcurrentHashMap<>();

  private Ignored() {}

  /** What a file has. {@code problem}: why it is not used; or null. */
  private record Lines(String name, List<String> strings, @Nullable String problem) {
    static Lines read(String name) {
      List<String> strings = new ArrayList<>();
      if (name.isEmpty()) {
        return new Lines(name, strings, null);
      }
      String problem = null;
      try {
        int number = 0;
        for (String line : Files.readAllLines(Path.of(name))) {
          number++;
          String string = line.replaceFirst("#.*", "").strip();
          if (!string.isEmpty()) {
            strings.add(string);
            String its = refusal(string);
            problem = problem == null && its != null ? name + ":" + number + ": " + its : problem;
          }
        }
      } catch (IOException | RuntimeException e) { // no path, or no UTF-8
        problem = "cannot read " + name + ", the file of " + FILE + ": " + e;
      }
      return new Lines(name, strings, problem);
    }
  }

  /** Why a string matches nothing, or everything; null if it may match. */
  private static @Nullable String refusal(String string) {
    return string.isBlank() || !string.matches("[^(*]+")
        ? "cannot ignore \""
            + string
            + "\"; write how the name of a class begins, such as org.rocksdb.RocksIterator, or a"
            + " class and a method, such as shop.PhotosTest.shows, without a file or a line"
        : null;
  }

  /**
   * Begins a class, or a test of it. Returns what is wrong with the strings; null if nothing is.
   *
   * @param method of the test; null: the class begins
   * @param name of the file; null if there is none
   */
  static @Nullable String begin(Class<?> type, @Nullable Method method, @Nullable String name) {
    String given = name == null ? "" : name;
    if (!file.name.equals(given)) {
      file = Lines.read(given);
    }
    if (file.problem != null) {
      return file.problem;
    }
    expect(file.name, file.strings);
    for (AnnotatedElement place : places(type, method)) {
      for (String string : strings(place)) {
        String problem = refusal(string);
        if (problem != null) {
          return "of " + place + " " + problem;
        }
      }
      expect(place, strings(place));
    }
    return null;
  }

  private static void expect(Object place, List<String> strings) {
    if (!strings.isEmpty()) {
      UNUSED.computeIfAbsent(
          place,
          unseen -> {
            Set<String> unused = ConcurrentHashMap.newKeySet();
            unused.addAll(strings);
            return unused;
          });
    }
  }

  /** The annotated elements that a test belongs to: its method, its classes, its package. */
  private static List<AnnotatedElement> places(Class<?> type, @Nullable Method method) {
    List<AnnotatedElement> places = new ArrayList<>();
    if (method != null) {
      places.add(method);
    }
    for (Class<?> around = type; around != null; around = around.getEnclosingClass()) {
      Class<?> at = around;
      while (at != null && at.getDeclaredAnnotation(NoNativeLeaks.class) == null) {
        at = at.getSuperclass(); // the annotation is inherited
      }
      if (at != null) {
        places.add(at);
      }
    }
    if (type.getPackage() != null) {
      places.add(type.getPackage());
    }
    return places;
  }

  private static List<String> strings(AnnotatedElement place) {
    NoNativeLeaks its = place.getAnnotation(NoNativeLeaks.class);
    return its == null ? List.of() : List.of(its.ignore());
  }

  /** Whether a leak of a test is known. */
  static boolean has(Leak leak, Class<?> type, @Nullable Method method) {
    boolean isKnown = matches(file.name, file.strings, leak);
    for (AnnotatedElement place : places(type, method)) {
      isKnown |= matches(place, strings(place), leak);
    }
    return isKnown;
  }

  private static boolean matches(Object place, List<String> strings, Leak leak) {
    boolean any = false;
    for (String string : strings) {
      if (leak.beginsWith(string)) {
        any = true;
        Set<String> unused = UNUSED.get(place);
        if (unused != null) {
          unused.remove(string);
        }
      }
    }
    return any;
  }

  /** A sentence for each string of a class and its methods that has matched nothing. */
  static List<String> unusedOf(Class<?> type) {
    return unused(
        place ->
            place == type
                || (place instanceof Method method
                    && method.getDeclaringClass().isAssignableFrom(type)));
  }

  /** The same of all other places, at the end of the run. */
  static List<String> unused() {
    file = new Lines("", List.of(), null); // the next run may have another one
    return unused(place -> true);
  }

  private static List<String> unused(Predicate<Object> ended) {
    List<String> sentences = new ArrayList<>();
    for (Object place : List.copyOf(UNUSED.keySet())) {
      Set<String> unused = ended.test(place) ? UNUSED.remove(place) : null;
      if (unused != null) {
        for (String string : unused) {
          sentences.add("ignore = \"" + string + "\" of " + place + " matches no leak; remove it");
        }
      }
    }
    return sentences;
  }
}
