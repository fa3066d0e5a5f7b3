package dev.offcut.command.judge;

import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers.Place;
import dev.offcut.rules.Rule;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Whether objects of a kind took a block of malloc: in a call of their class, or near the line that
 * opened them.
 */
final class Takers {
  /** Of others, one in so many is few. */
  private static final int FEW = 4;

  private Takers() {}

  /** Whether its objects have memory of malloc, or are views of those that have. */
  static boolean isOfMalloc(Digest.Closeable one) {
    return one.holds().equals(Rule.MALLOC) || one.holds().equals(Rule.NOTHING);
  }

  /** Whether it is the rule of a kind, whose objects have. */
  static boolean isOfMalloc(Digest.Closeable one, String kind) {
    return one.kind().equals(kind) && isOfMalloc(one);
  }

  /** A frame without its line. */
  private static String method(String frame) {
    return frame.substring(0, frame.indexOf('('));
  }

  /**
   * Whether memory was taken where objects were opened, or through their library in that method.
   */
  static boolean isNear(Place place, List<Digest.Site> opened) {
    for (Digest.Site site : opened) {
      String own = site.at().own();
      if (place.isAt(own)
          || (method(own).equals(method(place.own()))
              && site.through().stream().anyMatch(place.through()::contains))) {
        return true;
      }
    }
    return false;
  }

  /** Where objects of a kind were opened of which some number is not 0. */
  static List<Digest.Site> sites(
      String kind, List<Digest.Site> all, ToLongFunction<Digest.Site> number) {
    return all.stream()
        .filter(site -> site.kind().equals(kind) && number.applyAsLong(site) > 0)
        .filter(site -> !site.frames().isEmpty())
        .toList();
  }

  /**
   * Whether few objects of other kinds are left that may have memory of malloc and were opened
   * through the same code source.
   */
  static boolean isOnly(Digest.Site its, Facts facts) {
    return facts.sites().stream()
        .filter(site -> !site.kind().equals(its.kind()))
        .filter(site -> FEW * (site.lost() + site.open()) > its.lost() + its.open())
        .filter(site -> site.through().contains(its.through().getFirst()))
        .noneMatch(
            site -> facts.closeables().stream().anyMatch(one -> isOfMalloc(one, site.kind())));
  }

  /** The share of the objects of a kind that were there at one time, as far as it is known. */
  static double atOnce(Digest.Kind kind, List<Digest.Site> sites, List<Courses.Course> courses) {
    long most = 0;
    for (int i = 0; i < sites.size(); i++) {
      most += sites.get(i).kind().equals(kind.kind()) ? courses.get(i).peak() : 0;
    }
    return Math.min(1, (double) most / kind.opened());
  }

  static String type(Digest.Closeable one) {
    return one.kind().substring(Kinds.CLOSEABLE.length());
  }

  /** Whether it was taken in a call of a class that a rule names. */
  static boolean isOfAny(Place place, List<Digest.Closeable> owners) {
    return owners.stream()
        .anyMatch(one -> isOfMalloc(one) && !Kinds.isByShape(one) && isOf(place, type(one)));
  }

  static boolean isOf(Place place, String type) {
    return place.isOf(type + ".") || place.isOf(type + "$");
  }

  static boolean isThrough(Place place, String source) {
    return !place.through().isEmpty() && place.through().getFirst().equals(source);
  }
}
