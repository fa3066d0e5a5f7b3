package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.objectstream.Model.LineItem;
import dev.offcut.objectstream.Model.Node;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.objectstream.Model.SpecialOrder;
import dev.offcut.objectstream.Model.Written;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a stream to the list that lets it pass. */
class LearningTest {
  private static final StreamPolicy NOTHING = StreamPolicy.builder().build();

  private static byte[] everything() {
    SpecialOrder order = new SpecialOrder();
    order.lines.add(new LineItem("a", 1, BigDecimal.ONE));
    order.anything = List.of(Map.of("a", 1), new TreeMap<>(), new Node[1][1]);
    return Streams.of(order, Model.proxy(), Model.lambda("a"), new Written("w"));
  }

  private static void readAll(SafeObjectInputStream in) throws IOException, ClassNotFoundException {
    try (in) {
      for (int i = 0; i < 4; i++) {
        assertThat(in.readObject(Object.class)).isNotNull();
      }
    }
  }

  @Test
  void learning_toText_makesAListThatLetsTheStreamPass() throws Exception {
    byte[] bytes = everything();
    assertThatThrownBy(() -> readAll(Streams.open(NOTHING, bytes)))
        .isInstanceOf(RefusedClassException.class);
    StringBuilder text = new StringBuilder();
    try (Learning learning = NOTHING.learning(text)) {
      readAll(learning.open(new ByteArrayInputStream(bytes), MethodHandles.lookup()));
      assertThat(text).isEmpty();
    }
    assertThat(text.toString().lines().filter(line -> !line.startsWith("#")))
        .isSorted()
        .contains(
            SpecialOrder.class.getName(),
            Order.class.getName(),
            Node.class.getName(),
            "proxy " + Model.Api.class.getName(),
            "lambda " + Model.class.getName(),
            Model.FORM,
            Written.class.getName(),
            "java.util.TreeMap")
        .doesNotContain(Model.class.getName(), "java.lang.Integer", "java.lang.reflect.Proxy");
    StreamPolicy learned = StreamPolicy.parse(text.toString());
    readAll(Streams.open(learned, bytes));
    assertThat(learned.allowedNames()).isEqualTo(text.toString());
  }

  @Test
  void learning_toFile_writesWhenAStreamCloses(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("orders.allow");
    StreamPolicy some = StreamPolicy.builder().allowNames("com.acme.Known").build();
    try (Learning learning = some.learning(file)) {
      ClassLoader loader = getClass().getClassLoader();
      readAll(learning.open(new ByteArrayInputStream(everything()), loader));
      assertThat(file).content().contains("com.acme.Known", SpecialOrder.class.getName());
      assertThat(file).content().isEqualTo(learning.allowedNames());
    }
    readAll(Streams.open(StreamPolicy.builder().allowFrom(file).build(), everything()));
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void learning_keepsTheLimits() throws Exception {
    StreamPolicy flat = StreamPolicy.builder().maxDepth(3).build();
    try (Learning learning = flat.learning(new StringBuilder());
        SafeObjectInputStream in =
            learning.open(
                new ByteArrayInputStream(Streams.of(Node.chain(4))), MethodHandles.lookup())) {
      assertThatThrownBy(() -> in.readObject(Node.class))
          .isInstanceOf(StreamLimitException.class)
          .hasMessageContaining("maxDepth 3");
    }
  }
}
