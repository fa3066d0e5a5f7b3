package dev.offcut.fleet.spark;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.S3Place;
import dev.offcut.fleet.Store;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** A bucket by Spark's own {@code s3a}, with the options that Spark was given for it. */
final class HadoopStore implements Store {
  private static final String OURS = "s3://";
  private static final String SPARKS = "s3a://";

  /** Before the options of Hadoop in those of Spark. */
  private static final String OPTION = "spark.hadoop.";

  private final S3Place place;
  private final Path top;
  private final FileSystem files;

  /** What the last lists said. */
  private final Map<String, FileStatus> listed = new ConcurrentHashMap<>();

  HadoopStore(S3Place place) throws Failure {
    this.place = place;
    this.top = new Path(url(place.url()));
    try {
      files = top.getFileSystem(options());
    } catch (IOException | RuntimeException e) {
      throw cannot("read", place.url(), e);
    }
  }

  /** As Spark knows it. */
  static String url(String ours) {
    return ours.replaceFirst("^" + OURS, SPARKS);
  }

  /** Executors have those of the driver; before there is a session, the driver has properties. */
  private static Configuration options() {
    SparkEnv environment = SparkEnv.get();
    SparkConf conf = environment == null ? new SparkConf() : environment.conf();
    Configuration options = new Configuration();
    for (Tuple2<String, String> option : conf.getAllWithPrefix(OPTION)) {
      options.set(option._1(), option._2());
    }
    return options;
  }

  private Path path(String name) {
    return new Path(top, name);
  }

  private static Failure cannot(String what, String place, Exception e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("S3AFileSystem not found")
        ? Failure.other(
            ("cannot %s %s: this Spark has no s3a; give it hadoop-aws of its Hadoop's"
                    + " version, by spark.jars.packages in conf/spark-defaults.conf")
                .formatted(what, place))
        : Fleet.cannot(what, place, e);
  }

  @Override
  public String place() {
    return place.url();
  }

  @Override
  public String absolute() {
    return place.url();
  }

  @Override
  public void check() {
    // What is wrong with it is said when the first file is read.
  }

  @Override
  public void make() {
    // A bucket is there or not, and a prefix needs no making.
  }

  @Override
  public List<String> top() throws Failure {
    List<String> names = new ArrayList<>();
    try {
      for (FileStatus status : files.listStatus(top)) {
        names.add(status.getPath().getName());
      }
    } catch (FileNotFoundException e) {
      return List.of();
    } catch (IOException e) {
      throw cannot("read", place(), e);
    }
    return names;
  }

  @Override
  public List<String> files(String folder) throws Failure {
    List<String> names = new ArrayList<>();
    Map<String, FileStatus> found = new ConcurrentHashMap<>();
    try {
      Path under = files.makeQualified(path(folder));
      RemoteIterator<LocatedFileStatus> all = files.listFiles(under, true);
      while (all.hasNext()) {
        FileStatus status = all.next();
        String name = folder + status.getPath().toString().substring(under.toString().length());
        names.add(name);
        found.put(name, status);
      }
    } catch (FileNotFoundException e) {
      return List.of();
    } catch (IOException e) {
      throw cannot("read", place(), e);
    }
    listed.putAll(found);
    names.sort(null);
    return names;
  }

  @Override
  public @Nullable String text(String name) throws Failure {
    try (FSDataInputStream in = files.open(path(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      return null;
    } catch (IOException e) {
      throw cannot("read", place(), e);
    }
  }

  @Override
  public boolean isThere(String name) throws Failure {
    try {
      return files.exists(path(name));
    } catch (IOException e) {
      throw cannot("read", place(), e);
    }
  }

  @Override
  public long bytes(String name) {
    FileStatus status = listed.get(name);
    return status == null ? 0 : status.getLen();
  }

  @Override
  public long changedMs(String name) {
    FileStatus status = listed.get(name);
    return status == null ? 0 : status.getModificationTime();
  }

  @Override
  public java.nio.file.Path unfinished() {
    return java.nio.file.Path.of(System.getProperty("java.io.tmpdir"))
        .resolve(UNFINISHED + UUID.randomUUID());
  }

  /** If the name is there, it stays as it is: whoever reads it now sees no other bytes. */
  @Override
  public void put(java.nio.file.Path finished, String name) throws Failure {
    try {
      if (!files.exists(path(name))) {
        files.copyFromLocalFile(false, true, new Path(finished.toUri()), path(name));
      }
    } catch (IOException e) {
      throw cannot("write", place(), e);
    }
  }

  @Override
  public void delete(String name) throws Failure {
    try {
      files.delete(path(name), false);
    } catch (IOException e) {
      throw cannot("delete", place(), e);
    }
  }

  @Override
  public void deleteUnfinished(long beforeMs) {
    // Those of this machine are in its folder of temporary files.
  }

  @Override
  public List<java.nio.file.Path> local(List<String> names) {
    throw new UnsupportedOperationException("Spark reads files where they are");
  }
}
