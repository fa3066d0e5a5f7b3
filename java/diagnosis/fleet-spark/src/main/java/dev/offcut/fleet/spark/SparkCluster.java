package dev.offcut.fleet.spark;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Cluster;
import dev.offcut.fleet.Engine;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.Labels;
import dev.offcut.fleet.S3Place;
import dev.offcut.fleet.Source;
import dev.offcut.fleet.Store;
import dev.offcut.fleet.duckdb.FleetAdd;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** The cluster whose master {@code spark-submit} was given. */
public final class SparkCluster implements Cluster {
  private static final String PARTITIONS = "spark.sql.shuffle.partitions";

  /** Made as a service. */
  public SparkCluster() {}

  @Override
  public Store store(S3Place place) throws Failure {
    return new HadoopStore(place);
  }

  @Override
  public Engine open() throws Failure {
    return new SparkEngine(session());
  }

  @Override
  public FleetAdd.Done add(
      List<Source> sources, Fleet fleet, Labels labels, FleetAdd.Listener listener) throws Failure {
    SparkSession session = session();
    try (SparkEngine engine = new SparkEngine(session)) {
      return Conversion.run(session, engine, sources, fleet, labels, listener);
    }
  }

  /**
   * A session that takes the fleet's SQL: times are in UTC and have no zone, quoted names are
   * names, and what does not fit fails.
   */
  private static SparkSession session() throws Failure {
    try {
      SparkSession session =
          SparkSession.builder()
              .config("spark.sql.session.timeZone", "UTC")
              .config("spark.sql.timestampType", "TIMESTAMP_NTZ")
              .config("spark.sql.ansi.enabled", true)
              .config("spark.sql.ansi.doubleQuotedIdentifiers", true)
              // What executors return is made of records, which Kryo does not know.
              .config("spark.serializer", "org.apache.spark.serializer.JavaSerializer")
              .getOrCreate();
      if (!session.sparkContext().getConf().contains(PARTITIONS)) {
        int cores = session.sparkContext().defaultParallelism();
        session.conf().set(PARTITIONS, String.valueOf(Math.max(2, 2 * cores)));
      }
      return session;
    } catch (Exception e) {
      throw failed(e); // Scala's are not declared
    }
  }

  /** The first sentence of what Spark says. */
  static Failure failed(Exception e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("UnsupportedClassVersionError")) {
      return Failure.other(
          "Spark: the executors run on an older Java than "
              + Runtime.version().feature()
              + "; name a newer one, as it is called there, by spark.executorEnv.JAVA_HOME in"
              + " conf/spark-defaults.conf");
    }
    return Failure.other("Spark: " + message.lines().findFirst().orElse(e.toString()));
  }
}
