package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Json;
import dev.offcut.command.read.Retained;
import dev.offcut.command.read.Versions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was opened between two marks and is still held, as one JSON object, {@code offcut.marks/1}:
 * members are added, never changed. {@code spec/marks.schema.json} describes it.
 */
public final class MarksJson {
  /** What it is. */
  public static final String SCHEMA = "offcut.marks/1";

  private MarksJson() {}

  /** All of it, in one line; {@code seconds}: between the marks. */
  public static String of(Digest first, Digest second, double seconds) {
    Retained retained = Retained.between(first, second);
    Map<String, @Nullable Object> target = Json.members(second.target());
    target.keySet().removeAll(List.of("command", "started", "seconds"));
    Map<String, @Nullable Object> memory = new LinkedHashMap<>();
    memory.put("residentAtFirst", DigestJson.known(first.memory().resident()));
    memory.put("resident", DigestJson.known(second.memory().resident()));
    memory.put("parts", retained.parts());
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("schema", SCHEMA);
    all.put("tool", Versions.own());
    all.put("target", target);
    all.put("seconds", Math.round(1000 * seconds) / 1000.0);
    all.put("kinds", Json.each(retained.kinds(), MarksJson::kind));
    all.put("sites", Json.each(retained.sites(), MarksJson::site));
    all.put("memory", memory);
    all.put("limits", DiffText.limits(second));
    all.put("unwatched", second.coverage().unwatched());
    if (second.holders() != null) {
      all.put("holders", second.holders());
    }
    return Json.text(all);
  }

  private static Map<String, @Nullable Object> kind(Retained.Kind kind) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("kind", kind.now().kind());
    members.put("opened", kind.opened());
    members.put("ended", kind.ended());
    members.put("held", kind.count());
    members.put("bytes", kind.hasBytes() ? kind.bytes() : null);
    return members;
  }

  private static Map<String, @Nullable Object> site(Retained.Site site) {
    Map<String, @Nullable Object> members = DigestJson.placed(site.now());
    members.keySet().retainAll(List.of("kind", "frames", "own"));
    members.put("bytes", site.bytes());
    members.put("count", site.count());
    members.put("exact", site.now().exact());
    return members;
  }
}
