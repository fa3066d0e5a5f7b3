package dev.offcut.agent.rules;

import dev.offcut.agent.Messages;
import dev.offcut.rules.Rules;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules that jars bring for their own classes, in {@link Rules#IN_JARS}. A jar, or a folder of
 * classes, is looked into once: when its first class is loaded, or is read as one above a class
 * that is loaded. That is before any class of it is rewritten or left alone, so none of their
 * objects is missed. A jar of which no class is ever needed is not opened.
 *
 * <p>The thread that loads the class looks. It holds no lock while it calls code of the program,
 * which are the handlers of URLs other than files.
 */
final class JarRules {
  /** Takes rules as they are found, in any thread; of one jar perhaps twice. */
  private final Watching taker;

  private final Set<ProtectionDomain> domains =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Jars and folders that have been looked into, as URLs. */
  private final Set<String> places = ConcurrentHashMap.newKeySet();

  JarRules(Watching taker) {
    this.taker = taker;
  }

  /** Looks where classes of a domain come from, unless that was done. */
  void look(@Nullable ProtectionDomain domain) {
    if (domain != null && !domains.contains(domain)) {
      look(Parents.place(domain));
      domains.add(domain);
    }
  }

  /** Looks into a jar or folder, unless that was done. */
  void look(@Nullable String place) {
    if (place == null || places.contains(place)) {
      return;
    }
    List<String> problems = new ArrayList<>();
    if (place.startsWith("file:")) {
      synchronized (this) {
        if (!places.contains(place)) {
          take(place, problems);
        }
      }
    } else {
      take(place, problems);
    }
    for (String problem : problems) {
      taker.say(problem); // without the lock: stderr may be the program's own
    }
  }

  private void take(String place, List<String> problems) {
    try {
      byte[] json = read(place, Rules.IN_JARS);
      if (json != null) {
        taker.take(Rules.ofJar(name(place), json, path -> has(place, path), problems::add).all());
      }
    } catch (IOException | URISyntaxException | RuntimeException | LinkageError e) {
      Messages.note(name(place) + " could not be looked for (" + e + ")");
    }
    places.add(place);
  }

  /** The file of rules as people write it. */
  private static String name(String place) {
    String name = place.startsWith("file:") ? place.substring(5) : place;
    return name.endsWith("/") ? name + Rules.IN_JARS : name + "!/" + Rules.IN_JARS;
  }

  private static boolean has(String place, String path) {
    try {
      return read(place, path) != null;
    } catch (IOException | URISyntaxException e) {
      return false;
    }
  }

  private static byte @Nullable [] read(String place, String path)
      throws IOException, URISyntaxException {
    if (!isNested(place)) {
      return Parents.readFile(place, path);
    }
    try (InputStream in = new URL(place + path).openStream()) {
      return in.readAllBytes();
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** Whether a place is a jar within a file: never one of the network. */
  private static boolean isNested(String place) {
    return (place.startsWith("jar:file:") || place.startsWith("jar:nested:"))
        && place.endsWith("!/");
  }
}
