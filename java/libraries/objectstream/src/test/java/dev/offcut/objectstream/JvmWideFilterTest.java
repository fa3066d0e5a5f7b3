package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter of the JVM and the filter of the stream: what either rejects, is rejected. */
class JvmWideFilterTest {
  private static final String FACTORY = "-Djdk.serialFilterFactory=";

  /** What the program prints. */
  private static String run(String... options) throws IOException, InterruptedException {
    return ChildJvm.with(options).program(Program.class).run().text();
  }

  @Test
  void open_withJvmWideFilter_keepsBoth() throws Exception {
    assertThat(run("-Djdk.serialFilter=!" + Model.Pair.class.getName()))
        .contains("pair: refused by JVM", "list: read", "node: refused by policy");
  }

  @ParameterizedTest
  @ValueSource(classes = {Merging.class, Replacing.class})
  void open_withFactory_keepsThePolicy(Class<?> factory) throws Exception {
    assertThat(run(FACTORY + factory.getName()))
        .contains("pair: read", "list: read", "node: refused by policy");
  }

  @Test
  void open_withFactoryThatRejects_keepsItsWord() throws Exception {
    assertThat(run(FACTORY + Rejecting.class.getName()))
        .contains("pair: refused by JVM", "list: read", "node: refused by policy");
  }

  /** Nothing is read rather than something unlimited. */
  @ParameterizedTest
  @ValueSource(classes = {Ignoring.class, Hasty.class})
  void open_withFactoryThatLeavesThePolicyOut_readsNothing(Class<?> factory) throws Exception {
    assertThat(run(FACTORY + factory.getName()))
        .contains("pair: policy left out", "list: policy left out", "node: refused by policy");
  }

  /** Merges what it is given, as it should. */
  public static final class Merging implements BinaryOperator<ObjectInputFilter> {
    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
      if (current == null || next == null) {
        return next == null ? current : next;
      }
      return ObjectInputFilter.merge(next, current);
    }
  }

  /** As the built-in one. */
  public static final class Replacing implements BinaryOperator<ObjectInputFilter> {
    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
      return next;
    }
  }

  /** Has an opinion of its own. */
  public static final class Rejecting implements BinaryOperator<ObjectInputFilter> {
    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
      ObjectInputFilter own =
          ObjectInputFilter.rejectFilter(
              c -> c == Model.Pair.class, ObjectInputFilter.Status.UNDECIDED);
      return ObjectInputFilter.merge(own, next);
    }
  }

  /** Keeps to its first filter. */
  public static final class Ignoring implements BinaryOperator<ObjectInputFilter> {
    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
      return current == null ? info -> ObjectInputFilter.Status.ALLOWED : current;
    }
  }

  /** Asks the stream's filter only where it is undecided itself. */
  public static final class Hasty implements BinaryOperator<ObjectInputFilter> {
    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
      return info ->
          info.serialClass() != null || next == null
              ? ObjectInputFilter.Status.ALLOWED
              : next.checkInput(info);
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
