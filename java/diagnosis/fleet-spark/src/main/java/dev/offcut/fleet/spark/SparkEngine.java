package dev.offcut.fleet.spark;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Engine;
import dev.offcut.fleet.FleetTable;
import dev.offcut.fleet.Store;
import java.math.BigInteger;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterable;
import scala.jdk.javaapi.CollectionConverters;

/** Spark as the engine of a fleet. Executors run nothing but Spark for it. */
final class SparkEngine implements Engine {
  /** Before a path: a cluster may have another file system as its default. */
  private static final String FILES = "file:";

  /** What Spark would take for a pattern in a path. */
  private static final Pattern PATTERN = Pattern.compile("[\\[\\]{}*?\\\\]");

  /** What is wrong with a query, whatever is in the files. */
  private static final Pattern OF_QUERY =
      Pattern.compile(
          Pattern.quote(ONE_QUERY)
              + "|Spark: \\[(PARSE|UNRESOLVED|TABLE_OR_VIEW|MISSING|INVALID)_");

  private static final String FILE = "file";
  private static final String DATE = "date";
  private static final String SERVICE = "service";

  /** What the rows that do not count are told by. */
  private static final StructType WITHOUT =
      new StructType().add(FILE, DataTypes.StringType).add("source", DataTypes.StringType);

  private final SparkSession session;

  /** {@code session} is closed with this. */
  SparkEngine(SparkSession session) {
    this.session = session;
  }

  @Override
  public void open(FleetTable table, List<Part> parts) throws Failure {
    try {
      select(table, parts).createOrReplaceTempView(table.title());
    } catch (Exception e) {
      throw SparkCluster.failed(e); // Scala's are not declared
    }
  }

  private Dataset<Row> select(FleetTable table, List<Part> parts) {
    StructType schema = schema(table);
    if (parts.isEmpty()) {
      Dataset<Row> empty = session.createDataFrame(List.<Row>of(), schema);
      return table == FleetTable.PROCESSES
          ? empty.withColumn(FILE, functions.lit(null).cast(DataTypes.StringType))
          : empty;
    }
    Dataset<Row> rows =
        session
            .read()
            .schema(schema)
            .option("basePath", url(parts.getFirst().store(), table.title()))
            .parquet(
                parts.stream()
                    .map(part -> url(part.store(), part.name()))
                    .map(url -> PATTERN.matcher(url).replaceAll("\\\\$0"))
                    .toArray(String[]::new))
            .withColumn(FILE, file());
    List<Row> without = new ArrayList<>();
    for (Part part : parts) {
      part.without().forEach(source -> without.add(RowFactory.create(part.hash(), source)));
    }
    if (!without.isEmpty()) {
      Dataset<Row> none = functions.broadcast(session.createDataFrame(without, WITHOUT));
      rows =
          rows.join(
              none,
              rows.col(FILE)
                  .equalTo(none.col(FILE))
                  .and(rows.col("source").equalTo(none.col("source"))),
              "left_anti");
    }
    return table == FleetTable.PROCESSES ? rows : rows.drop(FILE);
  }

  private static String url(Store store, String name) {
    return (store instanceof HadoopStore
            ? HadoopStore.url(store.absolute())
            : FILES + store.absolute())
        + "/"
        + name;
  }

  /** The name of a row's file without the ending, which is the part's hash. */
  private static Column file() {
    return functions.regexp_extract(functions.col("_metadata.file_name"), "^(.+)\\.parquet$", 1);
  }

  private static StructType schema(FleetTable table) {
    StructType schema = new StructType();
    for (FleetTable.Column column : table.columns()) {
      schema =
          schema.add(
              column.name(),
              switch (column.type()) {
                case "long" -> DataTypes.LongType;
                case "boolean" -> DataTypes.BooleanType;
                default -> DataTypes.StringType;
              });
    }
    return schema.add(DATE, DataTypes.DateType).add(SERVICE, DataTypes.StringType);
  }

  @Override
  public String problem(Part part) {
    try {
      session
          .read()
          .parquet(PATTERN.matcher(url(part.store(), part.name())).replaceAll("\\\\$0"))
          .write()
          .format("noop")
          .mode("overwrite")
          .save();
      return "";
    } catch (Exception e) {
      return SparkCluster.failed(e).sentence(); // Scala's are not declared
    }
  }

  @Override
  public boolean mayBeDamage(Failure failure) {
    return !OF_QUERY.matcher(failure.sentence()).lookingAt();
  }

  @Override
  public Answer ask(String sql) throws Failure {
    LogicalPlan plan;
    try {
      plan = session.sessionState().sqlParser().parsePlan(sql);
    } catch (Exception e) {
      throw SparkCluster.failed(e); // Scala's are not declared
    }
    SafeQuery.check(plan);
    session.conf().set("spark.sql.runSQLOnFiles", false);
    return query(sql);
  }

  @Override
  public Answer query(String sql) throws Failure {
    try {
      Dataset<Row> answer = session.sql(sql);
      List<List<@Nullable Object>> rows = new ArrayList<>();
      for (Row row : answer.collectAsList()) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          values.add(value(row.get(i)));
        }
        rows.add(values);
      }
      return new Answer(List.of(answer.columns()), rows);
    } catch (Exception e) {
      throw SparkCluster.failed(e); // Scala's are not declared
    }
  }

  /** As the other engine says it. */
  private static @Nullable Object value(@Nullable Object value) {
    return switch (value) {
      case BigInteger exact -> exact.doubleValue();
      case LocalDateTime time -> Timestamp.valueOf(time).toString();
      case Iterable<?> list -> CollectionConverters.asJava(list).toString();
      case null, default -> Answer.value(value);
    };
  }

  @Override
  public void close() {
    session.stop();
  }
}
