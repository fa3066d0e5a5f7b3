package dev.offcut.agent.shape;

import dev.offcut.agent.hooks.code.Supertypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the owners among the classes that a program loads.
 *
 * <pre>
 *   {@link #met}, by the thread that loads a class   a quick look at its file
 *   {@link #look}, by the agent's thread             1. the package filter: is something hot near it?
 *                                                    2. the whole look, {@link OwnerRule}
 * </pre>
 *
 * <p>A package is <i>hot</i> if it has a class that reaches native code, or a supertype of one. A
 * class with a handle and something like an ender, its own or inherited, is looked at if it, or a
 * class above it, is in a hot package or names a class of one. So as long as nothing is hot, which
 * is so in most programs, nothing is done but the quick looks.
 *
 * <p>Classes are looked at again, or owners are lost: when the class above one comes, when a
 * package becomes hot, and when a class comes that has native code for an abstract method that a
 * look has asked for. Until then they wait, or are kept as refused.
 */
public final class Owners {
  private final Source source;
  private final Types types;
  private final OwnerRule rule;

  /** What has been met, and was not taken yet. Guards itself. */
  private final List<Seen> come = new ArrayList<>();

  /** Whether a class was met that makes a package hot. Under the lock of {@link #come}. */
  private boolean isHot;

  // All else belongs to the thread that looks.

  /** By the number of the name. */
  private final Map<Long, Seen> seen = new HashMap<>();

  /** The classes right below one, by its number; those that are not there yet. */
  private final Map<Long, List<Seen>> below = new HashMap<>();

  private final List<Seen> notBelow = new ArrayList<>();

  /** Threads that load classes read it. */
  private final Set<Integer> hot = ConcurrentHashMap.newKeySet();

  /** Packages that have become hot since the last look. */
  private final Set<Integer> heated = new HashSet<>();

  /** Candidates by the number of a class above them that has not come. */
  private final Map<Long, List<Seen>> waiting = new HashMap<>();

  /** Candidates with nothing hot near them, and those that own nothing. */
  private final Map<Long, Seen> cold = new LinkedHashMap<>();

  /** The refused candidates, by the abstract methods they asked for, by the class of these. */
  private final Map<Long, Map<Types.Asked, Map<Long, Seen>>> asking = new HashMap<>();

  /** Where the class that is looked at comes from. */
  private @Nullable Object place;

  /** Where class files are read from. */
  public interface Source {
    /**
     * Reads the file of a class, by internal name; null: there is none, or it is the JDK's.
     *
     * @param place of the class, or of one that names it; what was given to {@link Owners#met}
     */
    byte @Nullable [] read(String name, @Nullable Object place);
  }

  /** An owner, and where its class comes from. */
  public record Found(Owner owner, @Nullable Object place) {}

  public Owners(Source source) {
    this.source = source;
    types = new Types(new OfSeen());
    rule = new OwnerRule(types);
  }

  /** Class files of what was met. */
  private final class OfSeen implements Types.Source {
    @Override
    public byte @Nullable [] read(String name) {
      Seen known = seen.get(Supertypes.number(name));
      return source.read(name, known == null ? place : known.place());
    }

    @Override
    public List<String> below(String name) {
      addBelow();
      List<String> names = new ArrayList<>();
      for (Seen one : below.getOrDefault(Supertypes.number(name), List.of())) {
        names.add(one.name());
      }
      return names;
    }
  }

  /**
   * A class that is not the JDK's is loaded. Any thread.
   *
   * @param place where it comes from: for whoever reads class files
   * @return whether there is something to look at, and was not before
   */
  public boolean met(String name, Supertypes type, @Nullable Object place) {
    QuickLook look = QuickLook.of(type);
    long[] above = new long[type.count()];
    for (int i = 0; i < above.length; i++) {
      above[i] = type.isOfJava(i) ? 0 : type.number(i);
    }
    Seen one = new Seen(name, Supertypes.number(name), above, look, place);
    synchronized (come) {
      come.add(one);
      boolean wasHot = isHot;
      isHot |= look.heats() != null;
      return isHot && (!wasHot || come.size() == 1);
    }
  }

  /**
   * Whether a class has all by itself that an owner has, and something hot is near, as far as has
   * been looked. Any thread.
   */
  public boolean isLikely(Supertypes type) {
    QuickLook look = QuickLook.of(type);
    int both = QuickLook.HANDLE | QuickLook.ENDER;
    return (look.marks() & both) == both
        && (look.heats() != null || isNear(look, hot))
        && (look.marks() & QuickLook.ABSTRACT) == 0;
  }

  /** How many classes wait for a look. */
  public int metCount() {
    synchronized (come) {
      return come.size();
    }
  }

  /** Looks at what has come. One thread at a time. */
  public List<Found> look() {
    List<Seen> now;
    synchronized (come) {
      if (!isHot || come.isEmpty()) {
        return List.of();
      }
      now = new ArrayList<>(come);
      come.clear();
    }
    Map<Long, Seen> due = new LinkedHashMap<>();
    List<Seen> again = new ArrayList<>();
    for (Seen one : now) {
      add(one, again);
    }
    for (Seen one : now) {
      if (one.has(QuickLook.NATIVE)) {
        addNatives(one);
      }
      if (!asking.isEmpty() && hot.contains(one.look().home())) {
        comesBelow(one, one, due);
      }
    }
    now.addAll(again);
    for (Seen one : now) {
      if (isCandidate(one)) {
        due.put(one.number(), one);
      }
    }
    if (!heated.isEmpty()) {
      warm(due);
    }
    types.forget();
    return owners(due.values());
  }

  /** Nothing has come for a while: class files are dropped. By the thread that looks. */
  public void rest() {
    types.drop();
  }

  /** A class comes that may have the code of an abstract method that looks have asked for. */
  private void comesBelow(Seen one, Seen at, Map<Long, Seen> due) {
    for (long up : at.above()) {
      Map<Types.Asked, Map<Long, Seen>> methods = up == 0 ? null : asking.get(up);
      if (methods != null) {
        place = one.place();
        for (Map.Entry<Types.Asked, Map<Long, Seen>> method : methods.entrySet()) {
          if (rule.isNative(one.name(), method.getKey())) {
            addCold(method.getValue().values(), due);
          }
        }
      }
      Seen above = up == 0 ? null : seen.get(up);
      if (above != null) {
        comesBelow(one, above, due);
      }
    }
  }

  private void addCold(Iterable<Seen> all, Map<Long, Seen> due) {
    for (Seen one : all) {
      if (cold.containsKey(one.number())) {
        due.put(one.number(), one);
      }
    }
  }

  /** Takes the cold ones that something is hot near to by now. */
  private void warm(Map<Long, Seen> due) {
    for (Seen one : cold.values()) {
      if (isNear(one, heated)) {
        due.put(one.number(), one);
      }
    }
    heated.clear();
  }

  private List<Found> owners(Iterable<Seen> due) {
    List<Found> owners = new ArrayList<>();
    for (Seen one : due) {
      types.asked.clear();
      Owner owner = null;
      if (isNear(one, hot)) {
        place = one.place();
        owner = rule.look(one.name());
      }
      if (owner != null) {
        cold.remove(one.number());
        owners.add(new Found(owner, one.place()));
        continue;
      }
      cold.put(one.number(), one);
      for (Types.Asked method : types.asked) {
        asks(one, method);
      }
    }
    return owners;
  }

  private void asks(Seen one, Types.Asked method) {
    asking
        .computeIfAbsent(Supertypes.number(method.owner()), of -> new HashMap<>())
        .computeIfAbsent(method, asked -> new HashMap<>())
        .put(one.number(), one);
  }

  /** Adds one to those of a number. */
  private static void add(Map<Long, List<Seen>> to, long number, Seen one) {
    to.computeIfAbsent(number, made -> new ArrayList<>(2)).add(one);
  }

  private void add(Seen one, List<Seen> again) {
    if (seen.putIfAbsent(one.number(), one) != null) {
      return; // of another loader: the name stands for both
    }
    notBelow.add(one);
    int[] heats = one.look().heats();
    if (heats != null) {
      for (int home : heats) {
        if (hot.add(home)) {
          heated.add(home);
        }
      }
    }
    List<Seen> awaiting = waiting.isEmpty() ? null : waiting.remove(one.number());
    if (awaiting != null) {
      again.addAll(awaiting);
    }
  }

  /** Only few looks ask which classes are below one. */
  private void addBelow() {
    for (Seen one : notBelow) {
      for (long up : one.above()) {
        if (up != 0) {
          add(below, up, one);
        }
      }
    }
    notBelow.clear();
  }

  private void addNatives(Seen one) {
    boolean hasSupertype = false;
    for (long up : one.above()) {
      hasSupertype |= up != 0;
    }
    if (hasSupertype) {
      place = one.place();
      types.addNatives(one.name());
    }
  }

  /** Whether a class, with those above it, has what an owner has. If one is missing, it waits. */
  private boolean isCandidate(Seen one) {
    int both = QuickLook.HANDLE | QuickLook.ENDER;
    if (one.has(QuickLook.ABSTRACT)
        || (one.above()[0] == 0 && (one.look().marks() & both) != both)) {
      return false;
    }
    int marks = 0;
    long missing = 0;
    Seen up = one;
    while (up != null) {
      marks |= up.look().marks();
      missing = up.above()[0];
      up = missing == 0 ? null : seen.get(missing);
    }
    if (missing != 0) {
      add(waiting, missing, one);
    }
    return missing == 0 && (marks & both) == both;
  }

  /** Whether a class, or one above it, is in one of some packages, or names a class there. */
  private boolean isNear(Seen one, Set<Integer> packages) {
    for (Seen up = one; up != null; up = seen.get(up.above()[0])) {
      if (isNear(up.look(), packages)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNear(QuickLook look, Set<Integer> packages) {
    if (packages.contains(look.home())) {
      return true;
    }
    int[] named = look.named();
    for (int i = 0; named != null && i < named.length; i++) {
      if (packages.contains(named[i])) {
        return true;
      }
    }
    return false;
  }
}
