package dev.offcut.agent.shape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.hooks.code.Supertypes;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Sources that were compiled, and the owners among their classes. */
final class Compiled {
  private static final Pattern PACKAGE = Pattern.compile("package ([a-z.]+);");
  private static final Pattern TYPE = Pattern.compile("(?:class|interface|enum) (\\w+)");

  /** By internal name. */
  final Map<String, byte[]> files = new TreeMap<>();

  /** How many class files have been read for whole looks. */
  int reads;

  private Compiled() {}

  /** Compiles sources, each of a top-level type, in a folder. */
  static Compiled of(Path folder, String... sources) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    arguments.add(classes.toString());
    for (String source : sources) {
      Matcher type = TYPE.matcher(source);
      assertThat(type.find()).isTrue();
      Matcher in = PACKAGE.matcher(source);
      String home = in.find() ? in.group(1).replace('.', '/') : "";
      Path file = Files.createDirectories(folder.resolve("src").resolve(home));
      file = file.resolve(type.group(1) + ".java");
      arguments.add(Files.writeString(file, source).toString());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    java.io.ByteArrayOutputStream errors = new java.io.ByteArrayOutputStream();
    int code = compiler.run(null, null, errors, arguments.toArray(new String[0]));
    assertThat(code).as("%s %s", said, errors).isZero();
    Compiled compiled = new Compiled();
    try (Stream<Path> all = Files.walk(classes)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        String name = classes.relativize(file).toString().replace(".class", "");
        compiled.files.put(name, Files.readAllBytes(file));
      }
    }
    return compiled;
  }

  Owners owners() {
    return new Owners(
        (name, place) -> {
          reads++;
          return files.get(name);
        });
  }

  /** A class is loaded. */
  boolean load(Owners owners, String name) throws UnknownShapeException {
    byte[] file = files.get(name);
    assertThat(file).as(name).isNotNull();
    return owners.met(name, Supertypes.of(file == null ? new byte[0] : file), null);
  }

  /** The owners, all classes loaded in one order and then, by others, in the opposite one. */
  Map<String, Owner> find() throws UnknownShapeException {
    List<String> names = new ArrayList<>(files.keySet());
    Map<String, Owner> there = find(names, names.size());
    Collections.reverse(names);
    assertThat(find(names, 1)).isEqualTo(there);
    return there;
  }

  private Map<String, Owner> find(List<String> names, int batch) throws UnknownShapeException {
    Map<String, Owner> found = new TreeMap<>();
    Owners owners = owners();
    int count = 0;
    for (String name : names) {
      load(owners, name);
      count++;
      if (count % batch == 0 || count == names.size()) {
        for (Owners.Found one : owners.look()) {
          found.put(one.owner().name(), one.owner());
        }
      }
    }
    return found;
  }

  /** One owner in a few words: its enders, those that clear a guard with a star, and its guards. */
  static String text(@Nullable Owner owner) {
    if (owner == null) {
      return "none";
    }
    StringBuilder text = new StringBuilder();
    for (Owner.Ender ender : owner.enders()) {
      text.append(text.isEmpty() ? "" : ", ").append(ender.name());
      text.append(ender.clears() ? "*" : "").append(ender.isNative() ? " native" : "");
    }
    for (Owner.Guard guard : owner.guards()) {
      text.append(guard.openIfSet() ? "; " : "; not ").append(guard.name());
      text.append(guard.isSetByZero() ? " >= 0" : "");
    }
    if (owner.freedBy() != Owner.FreedBy.NOBODY) {
      text.append("; ").append(owner.freedBy().name().toLowerCase(java.util.Locale.ROOT));
    }
    return text + (owner.isCertain() ? "" : "; uncertain");
  }
}
