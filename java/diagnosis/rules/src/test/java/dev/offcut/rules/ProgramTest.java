package dev.offcut.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramTest {
  private static final String SHOP = "file:/app/shop.jar";

  @ParameterizedTest
  @CsvSource({
    "com.acme.shop.Main, com.acme.util.Photos, true",
    "com.acme.Main, com.acme.Photos, true",
    "com.acme.shop.Main, com.acmeother.Photos, false",
    "com.acme.shop.Main, com.other.Photos, false",
    "org.apache.shop.cart.Main, org.apache.shop.Photos, true",
    "org.apache.shop.Main, org.apache.images.Image, false",
    "io.github.ann.shop.Main, io.github.ann.Photos, true",
    "io.github.ann.shop.Main, io.github.bob.Photos, false",
    "shop.Main, shop.util.Photos, true",
    "shop.Main, shopping.Photos, false",
    "shop.Main, Photos, false",
    "Main, Photos, true",
    "MainKt, PhotosKt$load$1, true",
    "Main, images.Image, false",
  })
  void traits_ofAClassByName_areThoseOfThePackage(String main, String other, boolean isIts) {
    assertThat(Program.of(main, null, true).traits(other, "file:/x.jar"))
        .isEqualTo(isIts ? CallSiteRule.NAMED : 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.springframework.boot.loader.launch.JarLauncher",
        "org.springframework.boot.loader.WarLauncher",
        "org.apache.maven.surefire.booter.ForkedBooter",
        "org.apache.catalina.startup.Bootstrap",
        "com.sun.tools.javac.launcher.SourceLauncher",
        "worker.org.gradle.process.internal.worker.GradleWorkerMain"
      })
  void of_aLauncher_isNotKnown(String launcher) {
    Program program = Program.of(launcher, SHOP, false);
    assertThat(program.traits(launcher, SHOP)).isZero();
  }

  @Test
  void of_noMainClass_isNotKnown() {
    assertThat(Program.of(null, SHOP, false).traits("shop.Main", SHOP)).isZero();
  }

  @Test
  void traits_ofTheMainClassesJar_areItsOwnUnlessLibrariesAreInIt() {
    assertThat(Program.of("shop.Main", SHOP, false).traits("other.Photos", SHOP))
        .isEqualTo(CallSiteRule.OWN);
    assertThat(Program.of("shop.Main", SHOP, true).traits("other.Photos", SHOP))
        .isEqualTo(CallSiteRule.MAIN);
    for (String own : List.of("file:/x/classes/", "file:/x/Photos.java")) {
      assertThat(Program.of("shop.Main", SHOP, true).traits("other.Photos", own))
          .isEqualTo(CallSiteRule.OWN);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "file:/work/target/classes/, target/classes",
    "file:/opt/tomcat/webapps/shop/WEB-INF/classes/, WEB-INF/classes",
    "jar:nested:/app/shop.jar/!BOOT-INF/classes/!/, BOOT-INF/classes",
    "jar:file:/app/shop.jar!/BOOT-INF/classes!/, BOOT-INF/classes",
    "jar:file:/app/shop.war!/WEB-INF/classes/, WEB-INF/classes",
    "file:/classes/, classes",
  })
  void isFolder_ofClasses(String source, String name) {
    assertThat(Program.isFolder(source)).isTrue();
    assertThat(Program.name(source)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "file:/app/shop.jar, shop.jar",
    "jar:nested:/app/shop.jar/!BOOT-INF/lib/images-2.jar!/, images-2.jar",
    "jar:file:/app/shop.jar!/BOOT-INF/lib/images-2.jar!/, images-2.jar",
    "jar:file:/app/shop.war!/WEB-INF/lib/images-2.jar!/, images-2.jar",
    "jar:file:/app/shop.jar!/, shop.jar",
    "jrt:/com.acme.shop, com.acme.shop",
    "bundle://17.0:1/, 1",
    "'', ''",
  })
  void isFolder_ofArchivesAndModules_isFalse(String source, String name) {
    assertThat(Program.isFolder(source)).isFalse();
    assertThat(Program.name(source)).isEqualTo(name);
  }
}
