package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.objectstream.Model.Circle;
import dev.offcut.objectstream.Model.Entity;
import dev.offcut.objectstream.Model.Free;
import dev.offcut.objectstream.Model.Handler;
import dev.offcut.objectstream.Model.LineItem;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.objectstream.Model.Parcel;
import dev.offcut.objectstream.Model.Point;
import dev.offcut.objectstream.Model.Shape;
import dev.offcut.objectstream.Model.Square;
import dev.offcut.objectstream.Model.Status;
import dev.offcut.objectstream.Model.Stranger;
import dev.offcut.objectstream.Model.Weight;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each method of the builder, by what it lets pass. */
class StreamPolicyTest {
  @Test
  void allowPackage_allowsItsClassesAndNoneBelow() throws Exception {
    StreamPolicy policy = StreamPolicy.builder().allowPackage("dev.offcut.objectstream").build();
    assertThat(Streams.pass(policy, new Entity())).isInstanceOf(Entity.class);
    StreamPolicy above = StreamPolicy.builder().allowPackage("dev.offcut").build();
    Streams.assertRefused(above, new Entity());
  }

  @Test
  void allowSealed_allowsWhatIsPermittedAndItsRecords() throws Exception {
    StreamPolicy policy = StreamPolicy.builder().allowSealed(Shape.class).build();
    for (Shape shape : List.of(new Circle(new Point(1, 2)), new Square(), new Free())) {
      assertThat(Streams.pass(policy, shape)).hasSameClassAs(shape);
      assertThat(Streams.pass(policy, new Shape[] {shape})).isInstanceOf(Shape[].class);
    }
    Streams.assertRefused(policy, new Stranger());
  }

  @Test
  void allowRecords_allowsTheClosedTypesOfComponents() throws Exception {
    StreamPolicy policy =
        StreamPolicy.builder().allowRecords(Parcel.class).allowCollections().build();
    Parcel parcel =
        new Parcel(
            new LineItem("a", 1, BigDecimal.TEN),
            List.<Weight[]>of(new Weight[] {new Weight(1)}),
            List.of(new Circle(new Point(1, 1)), new Square()),
            null);
    assertThat(Streams.pass(policy, parcel)).usingRecursiveComparison().isEqualTo(parcel);
    Parcel open = new Parcel(parcel.item(), List.of(), List.of(), new Entity());
    Streams.assertRefused(policy, open).hasMessageContaining("Model$Entity");
  }

  @Test
  void allow_ofAnotherKindOfClass_saysWhatToDo() {
    Class<?> hidden = Model.lambda("a").getClass();
    StreamPolicy.Builder builder = StreamPolicy.builder();
    Map<String, ThrowingCallable> wrong =
        Map.of(
            "is not sealed", () -> builder.allowSealed(Entity.class),
            "is not a record", () -> builder.allowRecords(Entity.class),
            "allowLambdas", () -> StreamPolicy.allow(hidden));
    wrong.forEach(
        (message, call) ->
            assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message));
  }

  static List<Object> collections() {
    List<String> list = List.of("a", "b", "c");
    return List.of(
        List.of(),
        List.of("a"),
        list,
        Set.of("a"),
        Set.copyOf(list),
        Map.of("a", 1),
        Map.of("a", 1, "b", 2),
        new ArrayList<>(list),
        Streams.linked(list),
        new HashSet<>(list),
        new LinkedHashSet<>(list),
        new TreeSet<>(list),
        new TreeSet<>(Comparator.<String>reverseOrder()),
        new TreeMap<>(String.CASE_INSENSITIVE_ORDER),
        new TreeSet<>(Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER)),
        new HashMap<>(Map.of("a", 1)),
        new LinkedHashMap<>(Map.of("a", 1)),
        new TreeMap<>(Map.of("a", 1)),
        EnumSet.of(TimeUnit.DAYS),
        new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
        Arrays.asList("a", null),
        new AbstractMap.SimpleEntry<>("a", 1),
        Collections.emptyList(),
        Collections.emptyMap(),
        Collections.emptySet(),
        Collections.singletonList("a"),
        Collections.singleton("a"),
        Collections.singletonMap("a", 1),
        Collections.unmodifiableList(new ArrayList<>(list)),
        Collections.unmodifiableList(Streams.linked(list)),
        Collections.unmodifiableSet(new HashSet<>(list)),
        Collections.unmodifiableSortedSet(new TreeSet<>(list)),
        Collections.unmodifiableNavigableSet(new TreeSet<>(list)),
        Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1))),
        Collections.unmodifiableSortedMap(new TreeMap<>(Map.of("a", 1))),
        Collections.unmodifiableNavigableMap(new TreeMap<>(Map.of("a", 1))),
        Collections.synchronizedList(new ArrayList<>(list)),
        Collections.synchronizedSet(new HashSet<>(list)),
        Collections.synchronizedMap(new HashMap<>(Map.of("a", 1))));
  }

  @ParameterizedTest
  @MethodSource("collections")
  void allowCollections_allowsTheOrdinaryOnes(Object collection) throws Exception {
    StreamPolicy policy = StreamPolicy.builder().allowCollections().build();
    assertThat(Streams.pass(policy, collection)).isEqualTo(collection);
    StreamPolicy without = StreamPolicy.builder().build();
    Streams.assertRefused(without, collection);
  }

  @Test
  void allowCollections_ofQueuesAndCollectionWrappers_allowsThem() throws Exception {
    StreamPolicy policy = StreamPolicy.builder().allowCollections().build();
    assertThat(Streams.pass(policy, new ArrayDeque<>(List.of(1, 2))))
        .isInstanceOf(ArrayDeque.class);
    assertThat(Streams.pass(policy, Collections.unmodifiableCollection(new ArrayList<>())))
        .isNotNull();
    Streams.assertRefused(policy, Streams.vector(List.of(1)));
    Streams.assertRefused(policy, Collections.nCopies(1_000_000_000, 1));
  }

  @Test
  void allowConcurrentCollections_allowsThem() throws Exception {
    StreamPolicy policy = StreamPolicy.builder().allowConcurrentCollections().build();
    for (Object collection :
        List.of(
            new ConcurrentHashMap<>(Map.of("a", 1)),
            new ConcurrentSkipListMap<>(Map.of("a", 1)),
            new ConcurrentSkipListSet<>(List.of("a")),
            new CopyOnWriteArrayList<>(List.of("a")),
            new CopyOnWriteArraySet<>(List.of("a")))) {
      assertThat(Streams.pass(policy, collection)).isEqualTo(collection);
    }
  }

  @Test
  void allowNames_ofNoName_saysWhatANameIs() {
    for (String bad : List.of("", "a..b", "a b", "[Lx;", "x.*", "1x", "a/b", "x\u0000")) {
      assertThatThrownBy(() -> StreamPolicy.builder().allowNames(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not the name of a class");
      assertThatThrownBy(() -> StreamPolicy.builder().allowPackage(bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void limit_isWhatWasSetOrTheDefault() {
    StreamPolicy policy =
        StreamPolicy.builder()
            .maxDepth(1)
            .maxReferences(2)
            .maxArrayLength(3)
            .maxBytes(4)
            .maxExpansion(5)
            .maxWork(6)
            .build();
    assertThat(Stream.of(Limit.values()).map(policy::limit))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    for (Limit limit : Limit.values()) {
      assertThat(StreamPolicy.builder().build().limit(limit)).isEqualTo(limit.byDefault());
      assertThat(limit.setting()).startsWith("max");
    }
  }

  @Test
  void parse_ofAllowedNames_isTheSamePolicy() throws Exception {
    StreamPolicy policy =
        StreamPolicy.allow(Order.class, Status.class)
            .allowPackage("com.acme.model")
            .allowProxies(Model.Api.class)
            .allowLambdas(Model.class)
            .allow(Handler.class)
            .allowCollections()
            .build();
    StreamPolicy read = StreamPolicy.parse(policy.allowedNames());
    assertThat(read.allowedNames()).isEqualTo(policy.allowedNames());
    assertThat(policy.allowedNames())
        .contains(
            "\ncom.acme.model.*\n",
            "\nproxy " + Model.Api.class.getName() + "\n",
            "\nlambda " + Model.class.getName() + "\n");
    assertThat(Streams.pass(read, new Order())).isInstanceOf(Order.class);
  }

  @Test
  void parse_ofBadLine_saysWhichAndWhatItShouldBe() {
    assertThatThrownBy(() -> StreamPolicy.parse("# list\n\n  a.B  # fine\r\na-b\nc d\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("allow list, line 4: \"a-b\" is not the name of a class");
    for (String bad : List.of("*", ".*", "proxy *", "lambda a.*", "a.B b", "a.**", "[I")) {
      assertThatThrownBy(() -> StreamPolicy.parse(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("line 1");
    }
  }

  @Test
  void allowFrom_file_addsToTheBuilder(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("list.allow");
    Files.writeString(file, Entity.class.getName() + "\n");
    StreamPolicy policy = StreamPolicy.builder().allowFrom(file).maxDepth(3).build();
    assertThat(Streams.pass(policy, new Entity())).isInstanceOf(Entity.class);
    Files.writeString(file, "ok.Ok\nnot ok\n");
    StreamPolicy.Builder builder = StreamPolicy.builder();
    assertThatThrownBy(() -> builder.allowFrom(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("list.allow, line 2");
    assertThat(builder.build().allowedNames()).doesNotContain("ok.Ok");
  }
}
