package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A bucket of S3, or of a server that speaks its protocol. A file is put whole, under a name that
 * nothing has yet; engines read copies. Credentials, region and endpoint are found by the AWS SDK;
 * none of them is written anywhere.
 */
final class S3Store implements Store {
  /** Where there is no other: a bucket of another region is found by what S3 answers. */
  private static final Region REGION = Region.US_EAST_1;

  private static final int NOT_THERE = 404;
  private static final int IS_THERE = 412;
  private static final int AT_THE_SAME_TIME = 409;
  private static final int NOT_KNOWN = 501;

  private final S3Place place;
  private final S3Client client;
  private final Copies copies;

  /** What the last lists said. */
  private final Map<String, Copies.Item> listed = new ConcurrentHashMap<>();

  private S3Store(S3Place place, S3Client client, Copies copies) {
    this.place = place;
    this.client = client;
    this.copies = copies;
  }

  static S3Store open(S3Place place) throws Failure {
    S3Client client;
    try {
      client = client();
    } catch (
        RuntimeException e) { // an endpoint that is none, for instance; each is of another class
      throw Failure.other(
          "AWS_… and the profile cannot be used for " + place.url() + ": " + e.getMessage());
    }
    return new S3Store(place, client, new Copies(place.url()));
  }

  private static S3Client client() {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .crossRegionAccessEnabled(true);
    S3Client client = withRegion(builder);
    Optional<URI> endpoint = client.serviceClientConfiguration().endpointOverride();
    if (endpoint.isEmpty()) {
      return client;
    }
    client.close();
    // Other servers have no name for each bucket, and few know the checksums and chunks of S3.
    return withRegion(
        builder
            .forcePathStyle(true)
            .serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build())
            .crossRegionAccessEnabled(false)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED));
  }

  private static S3Client withRegion(S3ClientBuilder builder) {
    try {
      return builder.build();
    } catch (SdkClientException e) {
      return builder.region(REGION).build();
    }
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
  public void make() throws Failure {
    told("write", () -> client.headBucket(request -> request.bucket(place.bucket())));
  }

  @Override
  public List<String> top() throws Failure {
    List<String> names = new ArrayList<>();
    for (ListObjectsV2Response page : list("", "/")) {
      page.contents().forEach(object -> names.add(place.name(object.key())));
      page.commonPrefixes()
          .forEach(prefix -> names.add(place.name(prefix.prefix()).replaceFirst("/$", "")));
    }
    names.remove(""); // an object that stands for the folder
    return names;
  }

  @Override
  public List<String> files(String folder) throws Failure {
    List<String> names = new ArrayList<>();
    Map<String, Copies.Item> found = new ConcurrentHashMap<>();
    for (ListObjectsV2Response page : list(folder + "/", null)) {
      for (S3Object object : page.contents()) {
        String name = place.name(object.key());
        names.add(name);
        found.put(name, new Copies.Item(object.size(), object.lastModified().toEpochMilli()));
      }
    }
    listed.putAll(found);
    listed.keySet().removeIf(name -> name.startsWith(folder + "/") && !found.containsKey(name));
    copies.keep(folder, names);
    return names;
  }

  private List<ListObjectsV2Response> list(String under, @Nullable String delimiter)
      throws Failure {
    return told(
        "read",
        () ->
            client
                .listObjectsV2Paginator(
                    request ->
                        request
                            .bucket(place.bucket())
                            .prefix(place.key(under))
                            .delimiter(delimiter))
                .stream()
                .toList());
  }

  @Override
  public @Nullable String text(String name) throws Failure {
    return told(
        "read",
        () -> {
          try {
            return client
                .getObjectAsBytes(request -> request.bucket(place.bucket()).key(place.key(name)))
                .asString(StandardCharsets.UTF_8);
          } catch (NoSuchKeyException e) {
            return null;
          }
        });
  }

  @Override
  public boolean isThere(String name) throws Failure {
    return told(
        "read",
        () -> {
          try {
            client.headObject(request -> request.bucket(place.bucket()).key(place.key(name)));
            return true;
          } catch (NoSuchKeyException e) {
            return false;
          }
        });
  }

  @Override
  public long bytes(String name) {
    Copies.Item item = listed.get(name);
    return item == null ? 0 : item.bytes();
  }

  @Override
  public long changedMs(String name) {
    Copies.Item item = listed.get(name);
    return item == null ? 0 : item.changedMs();
  }

  @Override
  public Path unfinished() {
    return copies.unfinished();
  }

  /** If the name is there, it stays as it is: whoever reads it now sees no other bytes. */
  @Override
  public void put(Path finished, String name) throws Failure {
    told(
        "write",
        () -> {
          try {
            return put(finished, name, "*");
          } catch (AwsServiceException e) {
            return switch (e.statusCode()) {
              // Two put the same at the same time: the other one may yet fail.
              case AT_THE_SAME_TIME, NOT_KNOWN -> put(finished, name, null);
              case IS_THERE -> "";
              default -> throw e;
            };
          }
        });
  }

  private String put(Path finished, String name, @Nullable String unless) {
    return String.valueOf(
        client
            .putObject(
                request -> request.bucket(place.bucket()).key(place.key(name)).ifNoneMatch(unless),
                RequestBody.fromFile(finished))
            .eTag());
  }

  @Override
  public void delete(String name) throws Failure {
    told(
        "delete",
        () -> client.deleteObject(request -> request.bucket(place.bucket()).key(place.key(name))));
  }

  @Override
  public void deleteUnfinished(long beforeMs) throws Failure {
    copies.deleteUnfinished(beforeMs);
  }

  @Override
  public List<Path> local(List<String> names) throws Failure {
    List<Copies.@Nullable Item> items = new ArrayList<>();
    names.forEach(name -> items.add(listed.get(name)));
    return copies.of(names, items, this::fetch);
  }

  private Copies.Item fetch(Path path, String name) throws Failure {
    GetObjectResponse got =
        told(
            "read",
            () ->
                client.getObject(
                    request -> request.bucket(place.bucket()).key(place.key(name)), path));
    return new Copies.Item(got.contentLength(), got.lastModified().toEpochMilli());
  }

  /** With a sentence about what S3 refused. */
  private <T extends @Nullable Object> T told(String what, Supplier<T> request) throws Failure {
    try {
      return request.get();
    } catch (AwsServiceException e) {
      throw refused(what, e);
    } catch (SdkException e) {
      throw unanswered(what, e);
    }
  }

  private Failure refused(String what, AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code =
        details == null || details.errorCode() == null ? "" + e.statusCode() : details.errorCode();
    if (code.equals("NoSuchBucket") || (e.statusCode() == NOT_THERE && !code.equals("NoSuchKey"))) {
      return Failure.unreadable("there is no bucket " + place.bucket() + " for these credentials");
    }
    return Failure.other(
        "cannot "
            + what
            + " "
            + place.url()
            + ": "
            + switch (code) {
              case "NoSuchKey" -> "a file was deleted";
              case "AccessDenied", "403" ->
                  "permission denied; list, get, put and delete have to be allowed";
              case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken" ->
                  "the credentials are refused (" + code + ")";
              default -> "the server says " + code;
            });
  }

  /** No request was answered. The SDK's own sentences may be long. */
  private Failure unanswered(String what, SdkException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        String reason =
            cause instanceof UnknownHostException
                ? "the host " + cause.getMessage() + " is not known"
                : cause instanceof SocketTimeoutException
                    ? "there is no answer"
                    : String.valueOf(cause.getMessage());
        return Failure.unreachable("cannot " + what + " " + place.url() + ": " + reason);
      }
    }
    String message = String.valueOf(e.getMessage());
    return Failure.other(
        "cannot "
            + what
            + " "
            + place.url()
            + ": "
            + (message.contains("Unable to load credentials")
                ? "no credentials were found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY, or give the machine a role"
                : message.lines().findFirst().orElse("")));
  }
}
