package dev.offcut.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each stack is written innermost frame first. */
class CallSiteRuleTest {
  private static final String APP = "file:/app/shop.jar";
  private static final String LIB = "file:/app/lib/images-2.1.jar";
  private static final String OTHER = "file:/app/lib/http-9.jar";
  private static final String FOLDER = "file:/work/target/classes/";
  private static final @Nullable String JDK = null;

  private static final Program SHOP = Program.of("com.acme.shop.Main", APP, true);

  private record Frame(String name, @Nullable String source, int traits) {
    String type() {
      return name.substring(0, name.lastIndexOf('.'));
    }
  }

  private final List<Frame> stack = new ArrayList<>();
  private final List<String> sources = new ArrayList<>();

  private CallSiteRuleTest at(String name, @Nullable String source) {
    return at(name, source, name.endsWith("<init>") ? CallSiteRule.CONSTRUCTOR : 0);
  }

  private CallSiteRuleTest at(String name, @Nullable String source, int traits) {
    stack.add(new Frame(name, source, traits));
    return this;
  }

  private int number(@Nullable String source) {
    if (source == null) {
      return CallSiteRule.NOBODY;
    }
    if (!sources.contains(source)) {
      sources.add(source);
    }
    return sources.indexOf(source) + 1;
  }

  /** Of an object of a class from a source. */
  private String line(Program program, @Nullable String opened, String... libraries) {
    CallSiteRule rule = new CallSiteRule(number(opened));
    for (Frame frame : stack) {
      int traits = frame.traits;
      String source = frame.source;
      traits |= source == null ? 0 : program.traits(frame.type(), source);
      for (String library : libraries) {
        traits |= frame.name.startsWith(library) ? CallSiteRule.LIBRARY : 0;
      }
      if (rule.add(number(source), traits)) {
        break;
      }
    }
    return rule.line() < 0 ? "none" : stack.get(rule.line()).name;
  }

  @Test
  void line_ofALibraryThatTheProgramCalls_isTheProgramsFrame() {
    at("images.Image.<init>", LIB).at("images.Images.read", LIB).at("com.acme.Photos.load", APP);
    at("http.Server.run", OTHER).at("com.acme.Main.main", APP);
    assertThat(line(SHOP, LIB)).isEqualTo("com.acme.Photos.load");
  }

  @Test
  void line_ofAnotherPackageInTheJarOfTheMainClass_isTheProgramsFrame() {
    at("images.Image.open", LIB).at("net.other.Photos.load", APP).at("com.acme.Main.main", APP);
    assertThat(line(SHOP, LIB)).isEqualTo("net.other.Photos.load");
  }

  @Test
  void line_ofAFrameworkThatCallsBack_isNotTheFrameworks() {
    at("images.Image.open", LIB).at("http.Handler.call", OTHER).at("com.acme.Api.get", APP);
    assertThat(line(SHOP, LIB)).isEqualTo("com.acme.Api.get");
  }

  @Test
  void line_ofTheProgramsOtherJar_isFoundByItsPackage() {
    at("images.Image.open", LIB).at("com.acme.media.Photos.load", OTHER).at("com.acme.Api.x", APP);
    assertThat(line(SHOP, LIB)).isEqualTo("com.acme.media.Photos.load");
  }

  @Test
  void line_whereAllIsInOneJar_isFoundByPackageAlone() {
    at("images.Image.open", APP)
        .at("relocated.http.Cache.get", APP)
        .at("com.acme.Photos.load", APP);
    assertThat(line(SHOP, APP)).isEqualTo("com.acme.Photos.load");
    assertThat(line(SHOP, JDK)).isEqualTo("com.acme.Photos.load");
  }

  /** Whoever has its libraries beside it has none in it. */
  @Test
  void line_inAJarWithoutLibraries_isTheInnermost() {
    at("net.other.Icon.<init>", APP).at("net.other.Album.show", APP).at("com.acme.Main.main", APP);
    assertThat(line(Program.of("com.acme.Main", APP, false), APP))
        .isEqualTo("net.other.Album.show");
    assertThat(line(Program.of("com.acme.Main", APP, true), APP)).isEqualTo("com.acme.Main.main");
  }

  @Test
  void line_ofAMainClassWithoutPackage_isOfClassesWithout() {
    at("images.Image.open", APP).at("PhotosKt.load", APP).at("MainKt.main", APP);
    assertThat(line(Program.of("MainKt", APP, true), APP)).isEqualTo("PhotosKt.load");
  }

  @Test
  void line_inAFolderOfClasses_isTheProgramsFrame() {
    at("images.Image.open", LIB).at("net.other.Photos.load", FOLDER).at("sure.Fire.run", OTHER);
    assertThat(line(Program.UNKNOWN, LIB)).isEqualTo("net.other.Photos.load");
  }

  @Test
  void line_ofAConstructorOfWhatWasOpened_isItsCallers() {
    at("com.acme.NativeImage.<init>", FOLDER)
        .at("com.acme.NativeIcon.<init>", FOLDER)
        .at("com.acme.Photos.load", FOLDER);
    assertThat(line(SHOP, FOLDER)).isEqualTo("com.acme.Photos.load");
  }

  @Test
  void line_ofAConstructorThatOpensForItsObject_isTheConstructors() {
    at("java.util.zip.Inflater.<init>", JDK).at("com.acme.Reader.<init>", APP);
    at("com.acme.Photos.load", APP);
    assertThat(line(SHOP, JDK)).isEqualTo("com.acme.Reader.<init>");
  }

  @Test
  void line_ofASubclassInTheProgram_isItsCallers() {
    int subclass = CallSiteRule.CONSTRUCTOR | CallSiteRule.SUBCLASS;
    at("images.Image.<init>", LIB).at("com.acme.Icon.<init>", APP, subclass);
    at("com.acme.Photos.load", APP);
    assertThat(line(SHOP, LIB)).isEqualTo("com.acme.Photos.load");
    stack.clear();
    at("java.util.zip.Inflater.<init>", JDK).at("com.acme.Unpacker.<init>", APP, subclass);
    at("com.acme.Photos.load", APP);
    assertThat(line(SHOP, JDK)).isEqualTo("com.acme.Photos.load");
  }

  @Test
  void line_ofAConstructorFurtherOut_isTheConstructors() {
    at("images.Image.open", LIB).at("com.acme.Album.<init>", APP).at("com.acme.Main.main", APP);
    assertThat(line(SHOP, LIB)).isEqualTo("com.acme.Album.<init>");
  }

  @Test
  void line_ofConstructorsAlone_isTheInnermost() {
    at("java.lang.Object.<init>", JDK).at("images.Image.<init>", LIB).at("images.Icon.<init>", LIB);
    assertThat(line(SHOP, LIB)).isEqualTo("images.Image.<init>");
  }

  @Test
  void line_ofNativeFrames_isTheirCallers() {
    at("com.acme.Codec.encode0", APP, CallSiteRule.NATIVE).at("com.acme.Codec.encode", APP);
    assertThat(line(SHOP, JDK)).isEqualTo("com.acme.Codec.encode");
  }

  @Test
  void line_withoutAFrameOfTheProgram_isTheInnermostOutsideOfTheLibrary() {
    at("images.Image.open", LIB).at("http.Handler.call", OTHER).at("java.lang.Thread.run", JDK);
    assertThat(line(SHOP, LIB)).isEqualTo("http.Handler.call");
    assertThat(line(SHOP, LIB, "http.")).isEqualTo("http.Handler.call");
  }

  @Test
  void line_ofAThreadOfTheLibrarysOwn_isTheInnermostFrame() {
    at("images.Image.<init>", LIB).at("images.Worker.run", LIB).at("java.lang.Thread.run", JDK);
    assertThat(line(SHOP, LIB)).isEqualTo("images.Worker.run");
  }

  @Test
  void line_ofAResourceOfTheJdkThatALibraryOpens_isTheLibrarys() {
    at("java.util.zip.Inflater.<init>", JDK).at("images.Png.read", LIB).at("http.Worker.x", OTHER);
    assertThat(line(SHOP, JDK)).isEqualTo("images.Png.read");
  }

  @Test
  void line_ofTheJdkAlone_isNone() {
    at("java.util.zip.Inflater.<init>", JDK).at("java.lang.Thread.run", JDK);
    assertThat(line(SHOP, JDK)).isEqualTo("none");
  }

  @Test
  void line_ofAKnownLibraryAmongUnknownOnes_isTheUnknownOnes() {
    at("images.Image.open", LIB)
        .at("http.Handler.call", OTHER)
        .at("cache.Cache.get", "file:/c.jar");
    assertThat(line(SHOP, LIB, "http.")).isEqualTo("cache.Cache.get");
  }

  @Test
  void line_ofALibraryInTheProgramsFolder_isTheProgramsFrame() {
    at("images.Image.open", FOLDER).at("http.Handler.call", FOLDER).at("net.Api.get", FOLDER);
    assertThat(line(Program.UNKNOWN, FOLDER, "images.", "http.")).isEqualTo("net.Api.get");
  }

  /** The list of libraries has the program itself. */
  @Test
  void line_ofAProgramInALibrarysPackage_isTheProgramsFrame() {
    at("images.Image.open", LIB).at("org.known.core.Context.call", OTHER);
    at("org.known.sample.Photos.load", FOLDER).at("org.known.core.Server.run", OTHER);
    Program sample = Program.of("org.known.sample.Main", FOLDER, true);
    assertThat(line(sample, LIB, "org.known.")).isEqualTo("org.known.sample.Photos.load");
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
