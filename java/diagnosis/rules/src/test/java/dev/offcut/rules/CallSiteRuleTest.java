package dev.offcut.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each stack is written innermost frame first, each frame with where its class is from; {@code jdk}
 * is nowhere.
 */
class CallSiteRuleTest {
  private static final Map<String, String> SOURCES =
      Map.of(
          "app", "file:/app/shop.jar",
          "lib", "file:/app/lib/images-2.1.jar",
          "other", "file:/app/lib/http-9.jar",
          "third", "file:/c.jar",
          "folder", "file:/work/target/classes/");

  private static final Map<String, Integer> TRAITS =
      Map.of(
          "native",
          CallSiteRule.NATIVE,
          "subclass",
          CallSiteRule.CONSTRUCTOR | CallSiteRule.SUBCLASS);

  private final List<String> numbered = new ArrayList<>();

  private int number(@Nullable String source) {
    if (source == null) {
      return CallSiteRule.NOBODY;
    }
    if (!numbered.contains(source)) {
      numbered.add(source);
    }
    return numbered.indexOf(source) + 1;
  }

  private static Program program(String mainClass) {
    return switch (mainClass) {
      case "-" -> Program.UNKNOWN;
      case "alone" -> Program.of("com.acme.Main", SOURCES.get("app"), false);
      default -> Program.of(mainClass, SOURCES.get("app"), true);
    };
  }

  /**
   * The line of an object of a class from a source.
   *
   * @param main the main class, in the jar of the program, which may have libraries in it; {@code
   *     alone}: it has none; a dash: the program is not known
   * @param libraries what the packages of known libraries begin with
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a library that the program calls         | com.acme.Main | lib | -  | img.Image.<init>@lib img.Images.read@lib com.acme.P.load@app http.S.run@other com.acme.Main.main@app | com.acme.P.load
          another package in the main class's jar  | com.acme.Main | lib | -  | img.Image.open@lib net.other.P.load@app com.acme.Main.main@app | net.other.P.load
          a framework that calls back              | com.acme.Main | lib | -  | img.Image.open@lib http.H.call@other com.acme.Api.get@app | com.acme.Api.get
          the program's other jar, by its package  | com.acme.Main | lib | -  | img.Image.open@lib com.acme.m.P.load@other com.acme.Api.x@app | com.acme.m.P.load
          all in one jar, by package alone         | com.acme.Main | app | -  | img.Image.open@app relocated.C.get@app com.acme.P.load@app | com.acme.P.load
          the JDK's object, all in one jar         | com.acme.Main | jdk | -  | img.Image.open@app relocated.C.get@app com.acme.P.load@app | com.acme.P.load
          a jar without libraries: the innermost   | alone         | app | -  | net.I.<init>@app net.Album.show@app com.acme.Main.main@app | net.Album.show
          a jar with libraries: by package         | com.acme.Main | app | -  | net.I.<init>@app net.Album.show@app com.acme.Main.main@app | com.acme.Main.main
          a main class without package             | MainKt        | app | -  | img.Image.open@app PhotosKt.load@app MainKt.main@app | PhotosKt.load
          a folder of classes                      | -             | lib | -  | img.Image.open@lib net.P.load@folder sure.Fire.run@other | net.P.load
          constructors of what was opened          | com.acme.Main | folder | - | com.acme.I.<init>@folder com.acme.J.<init>@folder com.acme.P.load@folder | com.acme.P.load
          a constructor that opens for its object  | com.acme.Main | jdk | -  | java.Inflater.<init>@jdk com.acme.R.<init>@app com.acme.P.load@app | com.acme.R.<init>
          the program's subclass of a library's    | com.acme.Main | lib | -  | img.Image.<init>@lib com.acme.I.<init>@app@subclass com.acme.P.load@app | com.acme.P.load
          the program's subclass of the JDK's      | com.acme.Main | jdk | -  | java.Inflater.<init>@jdk com.acme.U.<init>@app@subclass com.acme.P.load@app | com.acme.P.load
          a constructor further out                | com.acme.Main | lib | -  | img.Image.open@lib com.acme.A.<init>@app com.acme.Main.main@app | com.acme.A.<init>
          constructors alone: the innermost        | com.acme.Main | lib | -  | java.Object.<init>@jdk img.Image.<init>@lib img.Icon.<init>@lib | img.Image.<init>
          native frames: their callers             | com.acme.Main | jdk | -  | com.acme.C.encode0@app@native com.acme.C.encode@app | com.acme.C.encode
          no frame of the program                  | com.acme.Main | lib | -  | img.Image.open@lib http.H.call@other java.Thread.run@jdk | http.H.call
          none, and a known library                | com.acme.Main | lib | http. | img.Image.open@lib http.H.call@other java.Thread.run@jdk | http.H.call
          a thread of the library's own            | com.acme.Main | lib | -  | img.Image.<init>@lib img.Worker.run@lib java.Thread.run@jdk | img.Worker.run
          the JDK's, opened by a library           | com.acme.Main | jdk | -  | java.Inflater.<init>@jdk img.Png.read@lib http.W.x@other | img.Png.read
          the JDK alone                            | com.acme.Main | jdk | -  | java.Inflater.<init>@jdk java.Thread.run@jdk | none
          a known library among unknown ones       | com.acme.Main | lib | http. | img.Image.open@lib http.H.call@other cache.C.get@third | cache.C.get
          a library in the program's folder        | -             | folder | img. http. | img.Image.open@folder http.H.call@folder net.Api.get@folder | net.Api.get
          a program in a known library's package   | org.known.sample.Main | lib | org.known. | img.Image.open@lib org.known.core.C.call@other org.known.sample.P.load@folder org.known.core.S.run@other | org.known.sample.P.load
          """)
  void line_of(
      String about, String main, String opened, String libraries, String stack, String line) {
    CallSiteRule rule = new CallSiteRule(number(SOURCES.get(opened)));
    String[] frames = stack.split(" ", -1);
    for (String text : frames) {
      String[] frame = text.split("@", -1);
      String source = SOURCES.get(frame[1]);
      int traits = frame[0].endsWith("<init>") ? CallSiteRule.CONSTRUCTOR : 0;
      traits |= frame.length > 2 ? Objects.requireNonNull(TRAITS.get(frame[2])) : 0;
      String type = frame[0].substring(0, frame[0].lastIndexOf('.'));
      traits |= source == null ? 0 : program(main).traits(type, source);
      for (String library : libraries.split(" ", -1)) {
        traits |= frame[0].startsWith(library) ? CallSiteRule.LIBRARY : 0;
      }
      if (rule.add(number(source), traits)) {
        break;
      }
    }
    assertThat(rule.line() < 0 ? "none" : frames[rule.line()].split("@", -1)[0]).isEqualTo(line);
  }

  @Test
  void add_theProgramsFrame_endsTheWalk() {
    CallSiteRule rule = new CallSiteRule(CallSiteRule.NOBODY);
    assertThat(rule.add(1, 0)).isFalse();
    assertThat(rule.add(2, CallSiteRule.NAMED | CallSiteRule.LIBRARY)).isFalse();
    assertThat(rule.add(3, CallSiteRule.NAMED)).isTrue();
    assertThat(rule.line()).isEqualTo(2);
  }
}
