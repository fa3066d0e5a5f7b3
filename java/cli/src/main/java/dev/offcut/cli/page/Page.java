package dev.offcut.cli.page;

import java.nio.charset.StandardCharsets;
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
 * One page as one file that needs nothing but itself. Its policy allows the script and the style
 * that are in it, by their hashes, and nothing else: what names in the data are is only text.
 */
public final class Page {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)([^}]*)}}");

  private final String name;
  private final String template;

  private Page(String name) {
    this.name = name;
    this.template = PageFiles.text(name);
  }

  /**
   * A template of the folder {@code web}, filled in.
   *
   * @param template the name of its file
   * @param text for who has no scripts
   * @param json the data
   */
  public static String of(String template, String title, String text, String json) {
    return new Page(template).page(title, text, json);
  }

  private String page(String title, String text, String json) {
    String style =
        words(asked("style")).stream().map(PageFiles::text).collect(Collectors.joining("\n"));
    String script = Bundle.of(asked("script"), PageFiles::text);
    Map<String, String> values = new HashMap<>();
    values.put("title", escaped(title));
    values.put("text", escaped(text));
    values.put("style", style);
    values.put("script", script);
    values.put("data", json.replace("<", "\\u003c"));
    values.put(
        "csp",
        "default-src 'none'; script-src "
            + hash(script)
            + "; style-src "
            + hash(style)
            + "; img-src data:; base-uri 'none'; form-action 'none'");
    return filled(values);
  }

  /**
   * In one pass: what is put in is not looked at again. By hand, since the JDK's own way looks at
   * each character of what is put in, which is most of the page.
   */
  private String filled(Map<String, String> values) {
    StringBuilder page = new StringBuilder();
    Matcher found = PLACEHOLDER.matcher(template);
    int done = 0;
    while (found.find()) {
      page.append(template, done, found.start());
      page.append(values.getOrDefault(found.group(1), found.group()));
      done = found.end();
    }
    return page.append(template, done, template.length()).toString();
  }

  /** What stands behind the word of a placeholder. */
  private String asked(String word) {
    Matcher found = PLACEHOLDER.matcher(template);
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

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
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

    /** One module. */
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
        if (!line.startsWith("import") && !line.startsWith("export")) {
          return line; // nearly all: patterns would cost a tenth of a second
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
