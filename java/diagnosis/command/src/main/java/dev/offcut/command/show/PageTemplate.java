package dev.offcut.command.show;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page as far as it is the same for all that it shows: with its script, its style and the policy
 * that allows them by their hashes. The build makes the templates and packs them; made for each
 * report, they cost more than all else of it.
 */
public final class PageTemplate {
  static final String ENDING = ".page";

  // What is filled in, in this order.
  static final String TITLE = "{{title}}";
  static final String TEXT = "{{text}}";
  static final String DATA = "{{data}}";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)([^}]*)}}");

  private final String name;
  private final String file;

  private PageTemplate(String name) {
    this.name = name;
    this.file = PageFiles.text(name);
  }

  /** Writes those of pages to a folder: its path, and their names without {@code .html}. */
  public static void main(String[] args) throws IOException {
    for (String name : List.of(args).subList(1, args.length)) {
      String text = new PageTemplate(name + ".html").text();
      Path file = Path.of(args[0], name + ENDING);
      // A newer file would make the build pack the jar again, under a JVM that runs from it.
      if (!Files.exists(file) || !Files.readString(file).equals(text)) {
        Files.writeString(file, text);
      }
    }
  }

  private String text() {
    String style =
        words(asked("style")).stream().map(PageFiles::text).collect(Collectors.joining("\n"));
    String script = Bundle.of(asked("script"), PageFiles::text);
    Map<String, String> values = new HashMap<>();
    values.put("style", style);
    values.put("script", script);
    values.put(
        "csp",
        """
        default-src 'none'; script-src %s; style-src %s; img-src data:; base-uri 'none'; \
        form-action 'none'"""
            .formatted(hash(script), hash(style)));
    return filled(values);
  }

  /** What has no value stays as it is. In one pass: what is put in is not looked at again. */
  private String filled(Map<String, String> values) {
    StringBuilder page = new StringBuilder();
    Matcher found = PLACEHOLDER.matcher(file);
    int done = 0;
    while (found.find()) {
      page.append(file, done, found.start());
      page.append(values.getOrDefault(found.group(1), found.group()));
      done = found.end();
    }
    return page.append(file, done, file.length()).toString();
  }

  private String asked(String word) {
    Matcher found = PLACEHOLDER.matcher(file);
    while (found.find()) {
      if (found.group(1).equals(word)) {
        return found.group(2).strip();
      }
    }
    throw new IllegalStateException(name + " has no {{" + word + "}}");
  }

  private static List<String> words(String text) {
    return List.of(text.split(" ", -1));
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /**
   * The modules of the page as one script, since browsers load no modules from a file: each is a
   * function that returns what it exports, after those that it imports. {@code web/README.md} has
   * the forms that modules keep to.
   */
  static final class Bundle {
    private static final Pattern NAMED = Pattern.compile("import \\{ (.+) } from \"(\\.[^\"]+)\";");
    private static final Pattern DEFAULT = Pattern.compile("import (\\w+) from \"(\\.[^\"]+)\";");
    private static final Pattern EXPORT =
        Pattern.compile("export ((?:async )?(?:function|const|class) (\\w+).*)");
    private static final Pattern EXPORT_DEFAULT =
        Pattern.compile("export \\{ (\\w+) as default };");
    private static final Pattern OTHER = Pattern.compile("(import|export)\\b.*");

    private final UnaryOperator<String> source;
    private final Set<String> seen = new HashSet<>();
    private final StringBuilder script = new StringBuilder();

    private Bundle(UnaryOperator<String> source) {
      this.source = source;
    }

    /** The script of a module. {@code source}: the text of a file by its name. */
    static String of(String entry, UnaryOperator<String> source) {
      Bundle bundle = new Bundle(source);
      bundle.add(entry);
      return "(() => {\n\"use strict\";\nconst modules = {};\n" + bundle.script + "})();\n";
    }

    private void add(String name) {
      if (seen.add(name)) {
        Module module = new Module(name);
        String text = module.text(source.apply(name));
        module.imports.forEach(this::add);
        script.append(text);
      }
    }

    private static final class Module {
      private final String name;
      private final List<String> imports = new ArrayList<>();
      private final List<String> exports = new ArrayList<>();
      private boolean comment;

      Module(String name) {
        this.name = name;
      }

      String text(String lines) {
        StringBuilder text = new StringBuilder("modules[\"" + name + "\"] = (() => {\n");
        lines.stripTrailing().lines().forEach(line -> text.append(line(line)).append('\n'));
        return text.append("return { ")
            .append(String.join(", ", exports))
            .append(" };\n})();\n")
            .toString();
      }

      private String line(String line) {
        if (comment || line.startsWith("/*")) {
          comment = !line.contains("*/");
          return line;
        }
        Matcher found = NAMED.matcher(line);
        if (found.matches()) {
          return "const { " + found.group(1) + " } = " + imported(found.group(2)) + ";";
        }
        found = DEFAULT.matcher(line);
        if (found.matches()) {
          return "const " + found.group(1) + " = " + imported(found.group(2)) + ".default;";
        }
        return exported(line);
      }

      private String exported(String line) {
        Matcher found = EXPORT.matcher(line);
        if (found.matches()) {
          exports.add(found.group(2));
          return found.group(1);
        }
        found = EXPORT_DEFAULT.matcher(line);
        if (found.matches()) {
          exports.add("default: " + found.group(1));
          return "";
        }
        if (OTHER.matcher(line).matches()) {
          throw new IllegalStateException(name + " cannot be put into one file: " + line);
        }
        return line;
      }

      private String imported(String path) {
        String file = Path.of(name).resolveSibling(path).normalize().toString().replace('\\', '/');
        imports.add(file);
        return "modules[\"" + file + "\"]";
      }
    }
  }
}
