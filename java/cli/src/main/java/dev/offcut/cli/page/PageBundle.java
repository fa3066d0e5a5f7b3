package dev.offcut.cli.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The modules of the page as one script, since browsers load no modules from a file: each is a
 * function that returns what it exports, after those that it imports. {@code web/README.md} has the
 * forms that modules keep to.
 */
final class PageBundle {
  private static final Pattern NAMED = Pattern.compile("import \\{ (.+) } from \"(\\.[^\"]+)\";");
  private static final Pattern DEFAULT = Pattern.compile("import (\\w+) from \"(\\.[^\"]+)\";");
  private static final Pattern EXPORT =
      Pattern.compile("export ((?:async )?(?:function|const|class) (\\w+).*)");
  private static final Pattern EXPORT_DEFAULT = Pattern.compile("export \\{ (\\w+) as default };");
  private static final Pattern OTHER = Pattern.compile("(import|export)\\b.*");

  private final UnaryOperator<String> source;
  private final Set<String> seen = new HashSet<>();
  private final StringBuilder script = new StringBuilder();

  private PageBundle(UnaryOperator<String> source) {
    this.source = source;
  }

  /** The script of a module. {@code source}: the text of a file by its name. */
  static String of(String entry, UnaryOperator<String> source) {
    PageBundle bundle = new PageBundle(source);
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
