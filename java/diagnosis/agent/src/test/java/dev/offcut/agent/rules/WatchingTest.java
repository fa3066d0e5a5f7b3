package dev.offcut.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.TableReader;
import dev.offcut.rules.Rule;
import dev.offcut.rules.RuleTable;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.springframework.cglib.proxy.Enhancer;

/** Programs with closeables that the agent watches. */
class WatchingTest {
  private static final String PLANTS = Plants.class.getName();
  private static final String WATCH =
      "watch="
          + String.join("+", PLANTS + "$Base", PLANTS + "$Resource", "java.util.zip.Deflater#end");

  private static final Pattern CLASSES =
      Pattern.compile(
          "dev.offcut|vendor|jdk.proxy|com.sun.proxy|java.util.zip.Deflater|sun.nio.ch.Nio");

  /** More about the same classes. */
  private static final List<String> RULES =
      List.of(
          rule("Reused", "free(Z)Z", "\"opens\": [\"acquire\"]"),
          rule("ByName", "close", "\"opens\": [\"<init>(Ljava/lang/String;)V\"]"),
          rule("Opened", "free", "\"opens\": [\"open\"]"),
          rule("Cleaned", "close", "\"freedBy\": \"cleaner\""),
          rule("Unwrapped", "close", "\"wrappers\": [\"" + PLANTS + "$Wrapper\"]"),
          rule("Alone", "close", "\"subclasses\": false"),
          rule("Endless", "end", "\"remark\": \"it has none\""),
          rule("EndedElsewhere", "end", "\"called\": \"ended\""),
          rule("Shell", "close", "\"library\": \"Shell\""),
          rule("Pooled", "close", "\"freedBy\": \"cleaner\""),
          rule("NotThere", "close", "\"library\": \"Missing\""),
          rule("OpenedTwice", "free", "\"opens\": [\"<init>\", \"open\"]"),
          rule(
              "Accepted",
              "free",
              "\"opens\": [\"accept(L" + PLANTS.replace('.', '/') + "$Accepted;)V#1\"]"));

  @TempDir private Path folder = Path.of("");

  private TableReader tables() throws Exception {
    return TableReader.in(folder);
  }

  /** A class file: an interface, or a class with a constructor and with these methods. */
  private void generate(String name, String implemented, String... methods) throws Exception {
    ClassWriter file = new ClassWriter(0);
    boolean isInterface = methods.length == 0;
    int access =
        Opcodes.ACC_PUBLIC | (isInterface ? Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT : 0);
    file.visit(Opcodes.V17, access, name, null, "java/lang/Object", new String[] {implemented});
    if (!isInterface) {
      MethodVisitor constructor = file.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
      constructor.visitVarInsn(Opcodes.ALOAD, 0);
      constructor.visitMethodInsn(
          Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
      constructor.visitInsn(Opcodes.RETURN);
      constructor.visitMaxs(1, 1);
    }
    for (String method : methods) {
      int type = method.indexOf('(');
      MethodVisitor code =
          file.visitMethod(
              Opcodes.ACC_PUBLIC, method.substring(0, type), method.substring(type), null, null);
      code.visitInsn(method.endsWith("V") ? Opcodes.RETURN : Opcodes.ACONST_NULL);
      if (!method.endsWith("V")) {
        code.visitInsn(Opcodes.ARETURN);
      }
      code.visitMaxs(1, 1);
    }
    Path folder = Files.createDirectories(this.folder.resolve("classes/vendor"));
    Files.write(folder.resolve(name.substring("vendor/".length()) + ".class"), file.toByteArray());
  }

  /** By class, but those of the JDK that the JDK opens: opened, closed, collected, lost, open. */
  private static Map<String, List<Long>> counts(TableReader tables) {
    Map<String, List<Long>> counts = tables.countsOfClasses(CLASSES);
    assertThat(tables.rows("offcut.ResourceStatistics"))
        .filteredOn(
            row -> counts.containsKey(String.valueOf(row.get("kind")).replace("closeable:", "")))
        .allSatisfy(
            row -> assertThat(row).containsEntry("proof", "full").containsEntry("bytes", 0L));
    return counts;
  }

  private static String rule(String name, String closes, String more) {
    return "{\"class\": \"%s$%s\", \"closes\": [\"%s\"], %s}".formatted(PLANTS, name, closes, more);
  }

  private Path rules(String... rules) throws Exception {
    return Files.writeString(
        Files.createDirectory(folder.resolve("rules")).resolve("my.json"),
        "{\"schema\": \"offcut.closeables/1\", \"rules\": [\n%s]}"
            .formatted(String.join(",\n", rules)));
  }

  private static Map<String, String> states(TableReader tables) {
    Map<String, String> states = new TreeMap<>();
    for (Map<String, Object> row : tables.rows("offcut.WatchedClass")) {
      long notCounted = (Long) Objects.requireNonNull(row.get("notCounted"));
      states.put(
          (String) row.get("class"),
          row.get("state")
              + ": "
              + row.get("detail")
              + (notCounted == 0 ? "" : "; not counted: " + notCounted + " of its objects"));
    }
    return states;
  }

  /**
   * The built-in rules name an interface of JDBC. Who says nothing of JDBC itself, and comes before
   * its own interface, is told of; one that comes after it is counted.
   */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void builtInRules_forAnInterface_countOrSayWhatTheyMissed(int version) throws Exception {
    String close = "close()V";
    generate("vendor/First", "java/sql/Connection");
    generate("vendor/Second", "java/sql/Connection");
    generate("vendor/AboveSecond", "vendor/Second");
    generate("vendor/Plain", "java/lang/AutoCloseable", close);
    generate("vendor/Direct", "java/sql/Connection", close);
    generate("vendor/Mentioning", "vendor/First", close, "createStatement()Ljava/sql/Statement;");
    generate("vendor/Silent", "vendor/AboveSecond", close);
    generate("vendor/AfterIt", "vendor/AboveSecond", close);
    ChildJvm.Output output =
        AgentJvm.of(version, AgentJvm.agent("level=sample,gcatexit=on,quiet=on,tables=" + folder))
            .classPath(AgentJvm.classes(), folder.resolve("classes"))
            .and(InterfaceProgram.class.getName())
            .and("vendor.Plain", "vendor.Silent", "vendor.AfterIt")
            .and("vendor.Mentioning", "vendor.Direct")
            .run();
    assertThat(output.said()).isEmpty();
    List<Long> some = List.of(10L, 4L, 6L, 0L, 0L);
    assertThat(counts(tables()))
        .isEqualTo(
            Map.of("vendor.AfterIt", some, "vendor.Mentioning", some, "vendor.Direct", some));
    assertThat(states(tables()))
        .containsEntry("vendor.AfterIt", "counted: 1 constructor; closed by close()")
        .containsEntry(
            "vendor.Silent",
            "not rewritten: it was loaded before the interface by which the rule counts it; --watch"
                + " with the name of the class counts it")
        .doesNotContainKey("vendor.Plain");
  }

  private ChildJvm.Output run(int version, String options) throws Exception {
    return AgentJvm.of(
            version,
            AgentJvm.agent("level=sample,gcatexit=on,quiet=on,tables=" + folder + "," + options))
        .classPath(AgentJvm.classes())
        .and(WatchedProgram.class.getName())
        .run();
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void plants_onEveryJdk_areCountedExactly(int version) throws Exception {
    Path rules = rules(RULES.toArray(new String[0]));
    ChildJvm.Output output = run(version, WATCH + ",rules=" + rules);
    assertThat(output.said()).isEmpty();
    TableReader tables = tables();
    assertThat(counts(tables)).isEqualTo(TableReader.printed(output.out())).hasSizeGreaterThan(15);
    assertThat(states(tables))
        .containsEntry(PLANTS + "$Leaf", "counted: 1 constructor; closed by close()")
        .containsEntry(
            PLANTS + "$Inheriting", "counted: 1 constructor; closed by close(), which it inherits")
        .containsEntry(
            PLANTS + "$Native",
            "not understood: its close() is native; name a method that calls it (--watch "
                + PLANTS
                + "$Base)")
        .containsEntry(
            PLANTS + "$BelowNative",
            "not counted: 1 constructor; closed by close(); a class above it is not counted;"
                + " not counted: 10 of its objects")
        .containsEntry(
            PLANTS + "$Endless",
            "not understood: it has no method end that closes it; name the one that does ("
                + rules
                + ":8)")
        .containsEntry(
            PLANTS + "$EndedElsewhere",
            "not understood: it inherits end() from "
                + PLANTS
                + "$Elsewhere, which is not watched; watch that class ("
                + rules
                + ":9)")
        .containsEntry(
            PLANTS + "$Stubborn",
            "not understood: close writes to variable 0 (--watch " + PLANTS + "$Resource)")
        .containsEntry(
            PLANTS + "$BelowStubborn",
            "not counted: 1 constructor; "
                + PLANTS
                + "$Stubborn declares the method that closes it, and is not rewritten; not counted:"
                + " 100 of its objects")
        .containsEntry(
            PLANTS + "$Shelled",
            "not understood: it inherits close() from "
                + PLANTS
                + "$ClosesElsewhere, which is not watched; watch that class ("
                + rules
                + ":10); not counted: 10 of its objects")
        .containsEntry(
            PLANTS + "$NotThere",
            "not loaded: no class of this name has been loaded; nested classes are written with $ ("
                + rules
                + ":12)")
        .doesNotContainKeys(
            PLANTS + "$Other", PLANTS + "$Unwatched", PLANTS + "$Wrapper", PLANTS + "$NotAlone")
        .anySatisfy(
            (type, state) -> {
              assertThat(type).startsWith(PLANTS + "$OnlyHidden");
              assertThat(state)
                  .startsWith("not rewritten: ")
                  .endsWith("; not counted: 100 of its objects");
            });
  }

  private static Path jarOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private ChildJvm made(int version, String... options) throws Exception {
    return AgentJvm.of(version, options)
        .classPath(AgentJvm.classes(), jarOf(ByteBuddy.class), jarOf(Enhancer.class))
        .and(MadeProgram.class.getName());
  }

  /** The classes that implement one are not looked for among those that are loaded before. */
  @Test
  void builtInRules_nameNoInterfaceOfTheBootLoader() throws Exception {
    List<Class<?>> named = new ArrayList<>();
    for (Rule rule : RuleTable.all()) {
      if (Parents.isOfJdk(rule.root().replace('.', '/'))) {
        named.add(Class.forName(rule.root(), false, ClassLoader.getPlatformClassLoader()));
      }
    }
    assertThat(named)
        .hasSizeGreaterThan(5)
        .filteredOn(type -> type.getClassLoader() == null)
        .noneMatch(Class::isInterface);
  }

  /** Subclasses of ByteBuddy and CGLIB, objects without constructors, and lambdas. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void subclasses_madeWhileTheProgramRuns_areCountedAsTheClassAbove(int version) throws Exception {
    String watched = MadeProgram.class.getName();
    String agent =
        AgentJvm.agent(
            "level=sample,gcatexit=on,quiet=on,tables="
                + folder
                + ",watch="
                + watched
                + "$Thing+"
                + watched
                + "$Single");
    ChildJvm.Output output = made(version, agent).run();
    assertThat(output.said()).isEmpty();
    TableReader tables = tables();
    assertThat(counts(tables))
        .containsExactly(Map.entry(watched + "$Thing", List.of(200L, 100L, 0L, 100L, 0L)));
    assertThat(states(tables))
        .hasEntrySatisfying(
            watched + "$Single",
            state -> assertThat(state).startsWith("counted: an interface: the classes"))
        .anySatisfy(
            (type, state) -> {
              assertThat(type).startsWith(watched + "$$Lambda");
              assertThat(state).startsWith("not rewritten: a hidden class");
            });
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void socketsThatAServerAccepts_areCounted(int version) throws Exception {
    AgentJvm.of(version, AgentJvm.agent("level=full,gcatexit=on,quiet=on,tables=" + folder))
        .classPath(AgentJvm.classes())
        .and(AcceptingProgram.class.getName())
        .run();
    // One listens; of ten connections each end is a socket.
    assertThat(counts(tables()))
        .containsEntry("sun.nio.ch.NioSocketImpl", List.of(21L, 17L, 4L, 0L, 0L));
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void classes_loadedBeforeTheAgent_areCountedFromThenOn(int version) throws Exception {
    String thing = MadeProgram.class.getName() + "$Thing";
    made(version, "-Djdk.attach.allowAttachSelf=true")
        .and(
            AgentJvm.AGENT,
            "level=sample,gcatexit=on,quiet=on,tables=" + folder + ",watch=" + thing)
        .run();
    TableReader tables = tables();
    assertThat(counts(tables)).containsExactly(Map.entry(thing, List.of(100L, 50L, 0L, 50L, 0L)));
    assertThat(states(tables))
        .containsEntry(
            thing,
            "counted: 1 constructor; closed by close(); loaded before the agent: objects opened"
                + " before that do not count");
  }

  /** Opens objects of classes by name, and closes some of them. */
  static final class InterfaceProgram {
    private InterfaceProgram() {}

    /** {@code names}: of each class ten objects are opened, and four closed. */
    public static void main(String[] names) throws Exception {
      for (String name : names) {
        for (int i = 0; i < 10; i++) {
          Object made = Class.forName(name).getConstructor().newInstance();
          if (i < 4) {
            ((AutoCloseable) made).close();
          }
        }
      }
    }
  }
}
