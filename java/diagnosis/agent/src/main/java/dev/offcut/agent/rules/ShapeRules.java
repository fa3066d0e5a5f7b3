package dev.offcut.agent.rules;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.concurrent.Counts;
import dev.offcut.agent.base.concurrent.Guards;
import dev.offcut.agent.hooks.Source;
import dev.offcut.agent.hooks.code.Supertypes;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.agent.rules.OwnerCode.Part;
import dev.offcut.agent.shape.Owner;
import dev.offcut.agent.shape.Owners;
import dev.offcut.rules.Rule;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts objects of classes that own something native by the shape of their class files, and that
 * no rule counts. What {@link Owners} finds becomes a rule, and the class is rewritten as a loaded
 * one, with those above it: see {@link OwnerCode}. So objects that were made before do not count.
 *
 * <p>Its thread starts with the first class that reaches native code. A thread that loads a class
 * which is likely an owner waits for the look, so that its first object counts; but only for a
 * moment, since the look may need a lock which that thread holds.
 */
final class ShapeRules implements Owners.Source, Runnable {
  /** Classes come many at a time, and all of a batch are rewritten in one step of the JVM. */
  private static final long PAUSE_MILLIS = 2;

  /** A batch has no more pauses than these: objects that open meanwhile do not count. */
  private static final int MOST_PAUSES = 10;

  /** Of classes that were loaded before the agent came, so many are read without a rest. */
  private static final int READ_AT_ONCE = 64;

  /** A thread that loads a class waits so long at most, and all together so long. */
  private static final long MOST_WAIT_NANOS = 100_000_000;

  private static final long MOST_WAITS_NANOS = 1_000_000_000;

  /** After so long without classes the class files that looks have read are dropped. */
  private static final long REST_MILLIS = 1_000;

  private static final String OF_EARLIER =
      "; looked at after it was loaded: objects opened before that do not count";

  private final Instrumentation instrumentation;
  private final Watching watching;
  private final WatchedRows rows;
  private final Owners owners = new Owners(this);

  /** What is inserted, by internal name: also into classes that come later. */
  private final Map<String, Part> parts = new ConcurrentHashMap<>();

  /** Classes that could not be rewritten, and why. */
  private final Map<String, String> refused = new ConcurrentHashMap<>();

  /** What the agent counts already. */
  private final Set<String> counted = ConcurrentHashMap.newKeySet();

  /** Where the last class came from: mostly the next one comes from there, too. */
  private volatile @Nullable Place last;

  /** What was loaded before the agent came, until its class files have been read. */
  private volatile Class<?> @Nullable [] before;

  // What follows is guarded by this.

  private @Nullable Thread thread;
  private boolean isStarted;

  private boolean isAsked;

  /** How many looks were begun, and how many were done. */
  private long begun;

  private long done;

  /** How many threads wait for a look, and how long such threads have waited. */
  private int waiting;

  private long waitedNanos;

  /** Loader and domain of a class: a class loader can go. */
  private record Place(WeakReference<ClassLoader> loader, WeakReference<ProtectionDomain> domain) {
    boolean is(ClassLoader other, @Nullable ProtectionDomain its) {
      return loader.refersTo(other) && domain.refersTo(its);
    }
  }

  ShapeRules(Instrumentation instrumentation, Watching watching, WatchedRows rows) {
    this.instrumentation = instrumentation;
    this.watching = watching;
    this.rows = rows;
    for (Source source : Source.values()) {
      counted.addAll(source.classes());
    }
  }

  /** A class is loaded, in this thread. {@code isCounted}: a rule counts its objects already. */
  void load(
      String name,
      Supertypes type,
      ClassLoader loader,
      @Nullable ProtectionDomain domain,
      boolean isCounted) {
    if (isCounted) {
      counted.add(name);
    }
    met(name, type, loader, domain);
    if (!isCounted && owners.isLikely(type)) {
      awaitLook();
    }
  }

  /** Waits for a look that begins from now on. */
  private synchronized void awaitLook() {
    if (waitedNanos > MOST_WAITS_NANOS || Thread.currentThread() == thread) {
      return;
    }
    long began = System.nanoTime();
    long look = begun + 1;
    waiting++;
    try {
      ask();
      for (long left = MOST_WAIT_NANOS; done < look && left > 0; ) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = MOST_WAIT_NANOS - (System.nanoTime() - began);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting--;
      waitedNanos += System.nanoTime() - began;
    }
  }

  private synchronized void lookIsDone() {
    done = begun;
    notifyAll();
  }

  private void met(
      String name, Supertypes type, ClassLoader loader, @Nullable ProtectionDomain domain) {
    Place place = last;
    if (place == null || !place.is(loader, domain)) {
      place = new Place(new WeakReference<>(loader), new WeakReference<>(domain));
      last = place;
    }
    if (owners.met(name, type, place)) {
      ask();
    }
  }

  /** Takes the classes that were loaded before the agent came. */
  void take(Class<?>[] all) {
    for (Class<?> type : all) {
      if (isMet(type)) {
        before = all;
        ask();
        return;
      }
    }
  }

  private static boolean isMet(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader != Watching.OWN
        && !Watching.isOfJdk(loader)
        && !type.isArray()
        && !type.isHidden();
  }

  /** Reads class files, and rests as long as that takes: the program has other work. */
  private void readEarlier() throws InterruptedException {
    Class<?>[] all = before;
    before = null;
    long began = System.nanoTime();
    int count = 0;
    for (int i = 0; all != null && i < all.length; i++) {
      if (!isMet(all[i])) {
        continue;
      }
      meet(all[i]);
      if (++count % READ_AT_ONCE == 0) {
        Thread.sleep((System.nanoTime() - began) / 1_000_000);
        began = System.nanoTime();
      }
    }
  }

  private void meet(Class<?> type) {
    String name = Watching.internal(type.getName());
    ProtectionDomain domain = type.getProtectionDomain();
    byte[] file = Parents.readOwn(name, type.getClassLoader(), domain);
    try {
      if (watching.of(type).rule() != null) {
        counted.add(name);
      }
      if (file != null) {
        met(name, Supertypes.of(file), type.getClassLoader(), domain);
      }
    } catch (UnknownShapeException e) {
      // generated, and nothing that owns memory
    }
  }

  private synchronized void ask() {
    isAsked = true;
    if (isStarted) {
      notifyAll();
      return;
    }
    isStarted = true;
    Thread made = new Thread(null, this, "offcut shapes", 0, false);
    made.setDaemon(true);
    made.setContextClassLoader(null);
    thread = made;
    made.start();
  }

  @Override
  public void run() {
    boolean failed = false;
    while (true) {
      try {
        await();
        if (before != null) {
          readEarlier();
        }
        count(owners.look());
        if (!comesMore()) {
          owners.rest();
        }
      } catch (InterruptedException e) {
        return; // somebody wants the threads to end
      } catch (OutOfMemoryError e) {
        // The program's trouble. It may pass.
      } catch (Throwable e) {
        if (!failed) {
          failed = true;
          Messages.say("shapes: some classes were not looked at (" + e + ")");
        }
      }
    }
  }

  private synchronized void await() throws InterruptedException {
    while (!isAsked) {
      wait();
    }
    int met = owners.metCount();
    for (int i = 0; i < MOST_PAUSES && waiting == 0; i++) {
      TimeUnit.MILLISECONDS.timedWait(this, PAUSE_MILLIS);
      int now = owners.metCount();
      if (now == met) {
        break;
      }
      met = now;
    }
    isAsked = false;
    begun++;
  }

  /** Whether more classes come at once: they mostly need the same class files. */
  private synchronized boolean comesMore() throws InterruptedException {
    long end = System.nanoTime() + 1_000_000 * REST_MILLIS;
    for (long left = REST_MILLIS; left > 0 && !isAsked; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return isAsked;
  }

  @Override
  public byte @Nullable [] read(String name, @Nullable Object from) {
    if (!(from instanceof Place place) || (Parents.isOfJdk(name) && !name.startsWith("javax/"))) {
      return null;
    }
    ClassLoader loader = place.loader.get();
    return loader == null ? null : Parents.read(name, loader, place.domain.get());
  }

  /** Makes a rule of each, and rewrites their classes. */
  private void count(List<Owners.Found> found) {
    List<Owners.Found> counting = new ArrayList<>();
    for (Owners.Found one : found) {
      Owner owner = one.owner();
      if (counted.contains(owner.name())) {
        continue; // what is written goes before what is concluded
      }
      String binary = owner.name().replace('/', '.');
      if (owner.isEndedNatively()) {
        String why = owner.why() + "; no agent sees its calls";
        rows.put(rule(owner), binary, WatchedRows.NOT_COUNTED, why);
      } else {
        own(owner, binary);
        rows.put(rule(owner), binary, WatchedRows.COUNTED, owner.why() + OF_EARLIER);
        counting.add(one);
      }
    }
    lookIsDone(); // who waits goes on: the next step may need the lock of its class
    retransform(counting);
  }

  private void retransform(List<Owners.Found> counting) {
    Set<Class<?>> classes = new HashSet<>();
    for (Owners.Found one : counting) {
      Class<?> type = loaded(one.owner().name(), one.place());
      for (Class<?> up = type; up != null; up = up.getSuperclass()) {
        if (one.owner().lineage().contains(Watching.internal(up.getName()))) {
          classes.add(up);
        }
      }
    }
    if (!classes.isEmpty()) {
      retransform(classes, counting);
    }
  }

  private void retransform(Set<Class<?>> classes, List<Owners.Found> counting) {
    try {
      instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
    } catch (Throwable together) {
      for (Class<?> one : classes) { // all together or none
        try {
          instrumentation.retransformClasses(one);
        } catch (Throwable e) {
          refused.put(
              Watching.internal(one.getName()), "the JVM refused the rewritten class (" + e + ")");
        }
      }
    }
    for (Owners.Found one : counting) {
      Owner owner = one.owner();
      for (String name : owner.lineage()) {
        String why = refused.get(name);
        if (why != null) {
          leaveOut(owner, name, why);
        }
      }
    }
  }

  /** A class could not be rewritten, so an owner does not count. */
  private void leaveOut(Owner owner, String name, String why) {
    String binary = owner.name().replace('/', '.');
    Guards.disown(binary);
    rows.put(
        rule(owner),
        binary,
        WatchedRows.NOT_UNDERSTOOD,
        owner.why() + "; " + name.replace('/', '.') + ": " + why);
  }

  /** The class, if its loader is still there. */
  private static @Nullable Class<?> loaded(String name, @Nullable Object from) {
    ClassLoader loader = from instanceof Place place ? place.loader.get() : null;
    if (loader == null) {
      return null;
    }
    try {
      return Class.forName(name.replace('/', '.'), false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private void own(Owner owner, String binary) {
    List<String> fields = new ArrayList<>();
    Set<String> guards = new HashSet<>();
    for (Owner.Guard guard : owner.guards()) {
      fields.add(guard.owner().replace('/', '.'));
      fields.add(guard.name());
      fields.add(guard.type());
      fields.add((guard.openIfSet() ? "+" : "-") + (guard.isSetByZero() ? "0" : ""));
      guards.add(guard.name() + " " + guard.type());
    }
    int how = owner.freedBy() == Owner.FreedBy.NOBODY ? Counts.LOST : Counts.COLLECTED;
    Guards.own(binary, how, fields.toArray(new String[0]));
    for (String name : owner.lineage()) {
      Set<String> enders = new HashSet<>();
      for (Owner.Ender ender : owner.enders()) {
        if (!ender.clears() && !ender.isNative() && ender.owner().equals(name)) {
          enders.add(ender.name() + ender.type());
        }
      }
      if (owner.freedBy() == Owner.FreedBy.FINALIZER) {
        enders.add("finalize()V");
      }
      Part part = new Part(name.equals(owner.name()), guards, enders);
      Part known = parts.get(name);
      parts.put(name, known == null ? part : known.and(part));
    }
  }

  private static Rule rule(Owner owner) {
    String root = owner.name().replace('/', '.');
    List<String> closes = new ArrayList<>();
    for (Owner.Ender ender : owner.enders()) {
      closes.add(ender.name());
    }
    int dot = root.lastIndexOf('.');
    return new Rule(
        dot < 0 ? root : root.substring(0, dot),
        root,
        List.of(Rule.CONSTRUCTORS),
        closes,
        Rule.FreedBy.valueOf(owner.freedBy().name()),
        false,
        List.of(),
        List.of(),
        owner.isCertain() ? Rule.MALLOC : Rule.NOTHING,
        "",
        "call " + closes.get(0) + "() on each",
        true,
        Rule.BY_SHAPE);
  }

  /** The class file of a class that counts, or is above one; null: it stays. */
  byte @Nullable [] rewrite(String name, byte[] file) {
    Part part = parts.get(name);
    if (part == null) {
      return null;
    }
    try {
      return new OwnerCode(file, part).rewrite();
    } catch (Throwable e) {
      String why = e instanceof UnknownShapeException ? e.getMessage() : e.toString();
      refused.put(name, String.valueOf(why));
      return null;
    }
  }
}
