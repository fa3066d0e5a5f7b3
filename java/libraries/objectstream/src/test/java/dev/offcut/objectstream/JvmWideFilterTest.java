package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The filter of the JVM and the filter of the stream: what either rejects, is rejected. */
class JvmWideFilterTest {
  /** What the program prints. */
  private static String run(String... options) throws IOException, InterruptedException {
    return ChildJvm.with(options).program(Program.class).run().text();
  }

  private static String runWith(Kind kind) throws IOException, InterruptedException {
    return run("-Djdk.serialFilterFactory=" + Factory.class.getName(), "-Dkind=" + kind);
  }

  @Test
  void open_withJvmWideFilter_keepsBoth() throws Exception {
    assertThat(run("-Djdk.serialFilter=!" + Model.Pair.class.getName()))
        .contains("pair: refused by JVM", "list: read", "node: refused by policy");
  }

  @ParameterizedTest
  @EnumSource(names = {"MERGING", "REPLACING"})
  void open_withFactory_keepsThePolicy(Kind kind) throws Exception {
    assertThat(runWith(kind)).contains("pair: read", "list: read", "node: refused by policy");
  }

  @Test
  void open_withFactoryThatRejects_keepsItsWord() throws Exception {
    assertThat(runWith(Kind.REJECTING))
        .contains("pair: refused by JVM", "list: read", "node: refused by policy");
  }

  /** Nothing is read rather than something unlimited. */
  @ParameterizedTest
  @EnumSource(names = {"IGNORING", "HASTY"})
  void open_withFactoryThatLeavesThePolicyOut_readsNothing(Kind kind) throws Exception {
    assertThat(runWith(kind))
        .contains("pair: policy left out", "list: policy left out", "node: refused by policy");
  }

  /** What a factory makes of the filter that a stream has and the one that it is to get. */
  enum Kind {
    /** As it should. */
    MERGING,
    /** As the built-in one. */
    REPLACING,
    /** Has an opinion of its own. */
    REJECTING,
    /** Keeps to its first filter. */
    IGNORING,
    /** Asks the stream's filter only where it is undecided itself. */
    HASTY
  }

  /** The JVM's factory, of the kind that a system property names. */
  public static final class Factory implements BinaryOperator<ObjectInputFilter> {
    private final Kind kind = Kind.valueOf(System.getProperty("kind"));

    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
      return switch (kind) {
        case MERGING ->
            current == null || next == null
                ? next == null ? current : next
                : ObjectInputFilter.merge(next, current);
        case REPLACING -> next;
        case REJECTING ->
            ObjectInputFilter.merge(
                ObjectInputFilter.rejectFilter(c -> c == Model.Pair.class, Status.UNDECIDED), next);
        case IGNORING -> current == null ? info -> Status.ALLOWED : current;
        case HASTY ->
            info ->
                info.serialClass() != null || next == null ? Status.ALLOWED : next.checkInput(info);
      };
    }
  }

  /** Reads three streams under whatever the JVM was given. */
  static final class Program {
    public static void main(String[] args) {
      System.out.println("pair: " + outcome(new Model.Pair("a", "b")));
      System.out.println("list: " + outcome(new ArrayList<>(List.of(1, 2, 3, 4, 5))));
      System.out.println("node: " + outcome(new Model.Node()));
    }

    private static String outcome(Object object) {
      StreamPolicy policy = StreamPolicy.allow(Model.Pair.class).allowCollections().build();
      try {
        return "read " + Streams.pass(policy, object);
      } catch (RefusedClassException e) {
        return "refused by " + (e.toString().contains("JVM-wide") ? "JVM" : "policy");
      } catch (IOException | ClassNotFoundException e) {
        return e.toString().contains("leaves out the filter") ? "policy left out" : e.toString();
      }
    }
  }
}
