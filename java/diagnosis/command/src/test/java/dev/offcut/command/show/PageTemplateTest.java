package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PageTemplateTest {
  private static String bundle(Map<String, String> files) {
    return PageTemplate.Bundle.of("a.js", name -> Objects.requireNonNull(files.get(name), name));
  }

  @Test
  void bundle_modules_comeOnceAndAfterWhatTheyImport() {
    String script =
        bundle(
            Map.of(
                "a.js", "import { b } from \"./b.js\";\nimport c from \"./x/c.js\";\nb(c);\n",
                "b.js", "import c from \"./x/c.js\";\nexport function b(it) {}\n",
                "x/c.js",
                    "/* a\nexport function inComment() {}\n*/\nconst it = 1;\nexport { it as default };\n"));
    assertThat(script)
        .isEqualTo(
            """
            (() => {
            "use strict";
            const modules = {};
            modules["x/c.js"] = (() => {
            /* a
            export function inComment() {}
            */
            const it = 1;

            return { default: it };
            })();
            modules["b.js"] = (() => {
            const c = modules["x/c.js"].default;
            function b(it) {}
            return { b };
            })();
            modules["a.js"] = (() => {
            const { b } = modules["b.js"];
            const c = modules["x/c.js"].default;
            b(c);
            return {  };
            })();
            })();
            """);
  }

  @Test
  void bundle_unknownForm_isAnError() {
    assertThatThrownBy(() -> bundle(Map.of("a.js", "import * as b from \"./b.js\";")))
        .hasMessageContaining("a.js cannot be put into one file: import * as b");
  }
}
