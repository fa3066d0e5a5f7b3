package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fleets in a bucket: the same sums as in a folder. */
class FleetS3Test extends GivenFleet {
  private static final String SECRET = "offcut's secret";
  private static final String FLEET = "s3://" + GivenS3.BUCKET + "/team/fleet";
  private static final String SUMS =
      "SELECT cast(sum(opened) AS bigint) AS opened, cast(sum(lost) AS bigint) AS lost FROM windows";

  private final Map<String, String> properties = new TreeMap<>();
  private final GivenS3 s3;

  FleetS3Test() throws IOException {
    s3 = new GivenS3();
  }

  @BeforeEach
  void start() throws IOException {
    set("user.home", parent.resolve("home").toString());
    set("aws.endpointUrl", s3.endpoint());
    set("aws.accessKeyId", GivenS3.KEY);
    set("aws.secretAccessKey", SECRET);
    set("aws.region", "us-east-1");
    Files.createDirectories(parent.resolve("runs"));
    for (int i = 0; i < 4; i++) {
      GivenProcess process = new GivenProcess(100 + i, START_MS + i * 7_000L, 100, seed + i);
      process.archive(parent.resolve("runs/run-" + i + ".offcut"), 100, true, "com.acme.Orders");
    }
  }

  private void set(String property, String value) {
    properties.putIfAbsent(property, System.getProperty(property, ""));
    System.setProperty(property, value);
  }

  @AfterEach
  void stop() {
    s3.close();
    properties.forEach(
        (property, before) -> {
          if (before.isEmpty()) {
            System.clearProperty(property);
          } else {
            System.setProperty(property, before);
          }
        });
  }

  private Said add(Object to) {
    return addTo(to, parent.resolve("runs"));
  }

  private static String answer(Object... words) {
    Said said = offcut(words);
    assertThat(said.err()).isEmpty();
    return said.out();
  }

  private Path folder() {
    return parent.resolve("folder");
  }

  @Test
  void words_onS3_answerAsOnAFolder() throws Exception {
    add(folder());
    assertThat(add(FLEET)).isEqualTo(new Said(0, "", "offcut: added 4 sources to " + FLEET + "\n"));
    assertThat(answer("sql", FLEET, SUMS)).isEqualTo(answer("sql", folder(), SUMS));
    assertThat(answer("report", FLEET, "--json")).isEqualTo(answer("report", folder(), "--json"));
    int before = s3.contents().size();
    assertThat(add(FLEET).err())
        .isEqualTo("offcut: added 0 sources to " + FLEET + "; 4 were there already\n");
    assertThat(s3.contents()).hasSize(before);

    assertThat(offcut("compact", FLEET).exitCode()).isZero();
    assertThat(s3.contents().size()).isLessThan(before);
    assertThat(s3.contents().keySet()).noneMatch(key -> key.contains("unfinished"));
    assertThat(answer("sql", FLEET, SUMS)).isEqualTo(answer("sql", folder(), SUMS));
    assertThat(answer("report", FLEET, "--json")).isEqualTo(answer("report", folder(), "--json"));

    assertThat(offcut("drop", FLEET, "--older-than", "1d").err()).contains("dropped");
    offcut("drop", folder(), "--older-than", "1d");
    assertThat(answer("sql", FLEET, "SELECT count(*) AS n FROM processes"))
        .isEqualTo(answer("sql", folder(), "SELECT count(*) AS n FROM processes"));
  }

  @Test
  void compact_addedAtAnyMoment_losesNothing() {
    add(folder());
    String all = answer("sql", folder(), SUMS);
    for (int i = 0; i < 3; i++) {
      addRun(i, FLEET);
    }
    Map<String, byte[]> three = s3.contents();
    int lists = 0;
    for (boolean isLast = false; !isLast; lists++) {
      String fleet = FLEET + lists;
      String folder = fleet.substring(fleet.indexOf("team"));
      three.forEach((key, bytes) -> s3.put(key.replace("team/fleet", folder), bytes));
      s3.meanwhile = () -> addRun(3, fleet);
      s3.listsToGo.set(lists + 1);
      assertThat(offcut("compact", fleet).exitCode()).isZero();
      isLast = s3.listsToGo.getAndSet(0) > 0;
      if (isLast) {
        addRun(3, fleet);
      }
      assertThat(answer("sql", fleet, SUMS)).as("list %d", lists).isEqualTo(all);
    }
    assertThat(lists).isGreaterThan(5);
  }

  private void addRun(int i, String to) {
    assertThat(addTo(to, parent.resolve("runs/run-" + i + ".offcut")).exitCode()).isZero();
  }

  @Test
  void query_secondTime_fetchesNothingAgain() {
    add(FLEET);
    String first = answer("sql", FLEET, SUMS);
    int gets = s3.gets.get();
    assertThat(answer("sql", FLEET, SUMS)).isEqualTo(first);
    // fleet.json is read each time.
    assertThat(s3.gets.get() - gets).isEqualTo(1);
  }

  @Test
  void query_aboutOneTable_fetchesThatAndProcesses() {
    add(FLEET);
    answer("sql", FLEET, "SELECT count(*) FROM sites");
    assertThat(copies()).noneMatch(copy -> copy.contains("windows"));
    assertThat(copies()).anyMatch(copy -> copy.contains("sites"));
  }

  @Test
  void query_copyIsCut_fetchesItAgain() throws Exception {
    add(FLEET);
    String first = answer("sql", FLEET, SUMS);
    for (String copy : copies()) {
      Files.write(Path.of(copy), new byte[] {1});
    }
    assertThat(answer("sql", FLEET, SUMS)).isEqualTo(first);
  }

  private List<String> copies() {
    try (Stream<Path> all = Files.walk(parent.resolve("home/.cache"))) {
      return all.filter(Files::isRegularFile).map(Path::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void put_nameIsThere_staysAsItIs() throws Exception {
    Store store = Store.at(FLEET);
    for (String text : new String[] {"first", "second"}) {
      Path file = store.unfinished();
      Files.writeString(file, text);
      store.put(file, "a/b");
      Files.delete(file);
    }
    assertThat(store.text("a/b")).isEqualTo("first");
    assertThat(s3.refused.get()).isEqualTo(1);
  }

  @Test
  void add_serverWithoutConditions_puts() {
    s3.withoutConditions = true;
    add(folder());
    assertThat(add(FLEET).exitCode()).isZero();
    assertThat(answer("sql", FLEET, SUMS)).isEqualTo(answer("sql", folder(), SUMS));
  }

  @Test
  void add_bucketHasOtherFiles_isRefused() {
    s3.put("team/fleet/notes.txt", new byte[] {1});
    refuses(
        add(FLEET),
        1,
        "offcut: " + FLEET + " is no fleet, and not empty; give --to a fleet, or a new folder\n");
  }

  @Test
  void words_whatIsWrong_isOneSentenceWithoutSecrets() throws Exception {
    refuses(
        offcut("report", FLEET),
        5,
        "offcut: "
            + FLEET
            + " is no fleet: it has no fleet.json; `offcut fleet add` makes fleets\n");
    refuses(
        offcut("report", "s3://another/fleet"),
        5,
        "offcut: there is no bucket another for these credentials\n");
    assertThat(add("s3://another/fleet").exitCode()).isEqualTo(5);
    refuses(
        offcut("report", "s3://B"), 2, "offcut: s3://B names no bucket; give s3://BUCKET/PATH\n");
    refuses(
        offcut("report", "gs://b/c"),
        2,
        "offcut: gs://b/c is neither a folder nor s3://BUCKET/PATH\n");
    add(FLEET);
    set("aws.accessKeyId", "ANOTHERKEY");
    refuses(
        offcut("report", FLEET),
        1,
        "offcut: cannot read " + FLEET + ": the credentials are refused (InvalidAccessKeyId)\n");
    set("aws.endpointUrl", "nowhere");
    assertThat(offcut("report", FLEET).exitCode()).isEqualTo(1);
    set("aws.endpointUrl", s3.endpoint());
    s3.close();
    refuses(offcut("report", FLEET), 4, "offcut: cannot read " + FLEET + ": Connection refused\n");
    for (String copy : copies()) {
      assertThat(Files.readString(Path.of(copy), StandardCharsets.ISO_8859_1))
          .doesNotContain(SECRET)
          .doesNotContain(GivenS3.KEY);
    }
  }
}
