package dev.offcut.objectstream;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A policy in learn mode: it records which classes the streams need. Its streams <strong>allow
 * every class</strong>, so never use it on input from outside. It logs a warning when it is made.
 *
 * <pre>{@code
 * try (Learning learning = policy.learning(Path.of("orders.allow"))) {
 *   try (SafeObjectInputStream in = learning.open(recorded, loader)) {
 *     in.readObject(Order.class);
 *   }
 * }
 * }</pre>
 *
 * <p>The result is an allow list: the names that the policy allows already, and the names that the
 * streams needed in addition. {@link StreamPolicy#parse} and {@link StreamPolicy.Builder#allowFrom}
 * read it. Check every line before you use the list. A class that was in no stream is missing from
 * the list, so read messages of every kind.
 *
 * <p>Any thread may use a {@code Learning}; each of its streams is for one thread. Closing a {@code
 * Learning} does not close its streams.
 */
public final class Learning implements Closeable {
  private static final System.Logger LOG = System.getLogger("dev.offcut.objectstream");

  private final StreamPolicy policy;
  private final @Nullable Path file;
  private final @Nullable Appendable to;
  private final Set<String> learned = ConcurrentHashMap.newKeySet();
  private int written = -1;
  private boolean closed;

  Learning(StreamPolicy policy, @Nullable Path file, @Nullable Appendable to) {
    this.policy = policy;
    this.file = file;
    this.to = to;
    LOG.log(
        System.Logger.Level.WARNING,
        "object streams in learn mode: EVERY class is allowed. Never use this on input from"
            + " outside. The allow list "
            + (file == null ? "goes to the program's Appendable" : "is written to " + file));
  }

  /**
   * Opens a stream as {@link StreamPolicy#open(InputStream, ClassLoader)} does, but allows every
   * class.
   *
   * @param in the input; the stream owns and closes it. If this method throws, the input stays open
   *     and belongs to the caller
   * @param loader the loader of all classes in the stream
   * @return a stream for one thread and one message
   * @throws IOException as {@link StreamPolicy#open(InputStream, ClassLoader)}
   */
  public SafeObjectInputStream open(InputStream in, ClassLoader loader) throws IOException {
    return policy.open(in, Objects.requireNonNull(loader), this);
  }

  /**
   * Opens a stream as {@link StreamPolicy#open(InputStream, MethodHandles.Lookup)} does, but allows
   * every class.
   *
   * @param in the input; the stream owns and closes it. If this method throws, the input stays open
   *     and belongs to the caller
   * @param lookup {@code MethodHandles.lookup()} of the caller
   * @return a stream for one thread and one message
   * @throws IOException as {@link StreamPolicy#open(InputStream, MethodHandles.Lookup)}
   */
  public SafeObjectInputStream open(InputStream in, MethodHandles.Lookup lookup)
      throws IOException {
    return policy.open(in, lookup.lookupClass().getClassLoader(), this);
  }

  /**
   * Returns the allow list so far: the names that the policy allows, and the names that the streams
   * needed in addition.
   *
   * @return a comment, then sorted names, one per line
   */
  public String allowedNames() {
    Set<String> lines = new TreeSet<>(policy.allowList().lines());
    lines.addAll(learned);
    lines.removeIf(
        line -> lines.contains(AllowList.PROXY + line) || lines.contains(AllowList.LAMBDA + line));
    return AllowListText.of(lines);
  }

  void learn(String kind, String name) {
    if (learned.add(kind + name)) {
      LOG.log(System.Logger.Level.INFO, "learned " + kind + name);
    }
  }

  /** Writes the file if there is something new, since programs are often killed. */
  synchronized void streamClosed() throws IOException {
    if (file != null && learned.size() != written) {
      write(file);
    }
  }

  private void write(Path to) throws IOException {
    written = learned.size();
    Path directory = Objects.requireNonNull(to.toAbsolutePath().getParent());
    Path whole = Files.createTempFile(directory, "offcut", ".allow");
    Files.writeString(whole, allowedNames());
    Files.move(whole, to, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Writes the allow list to its file or {@link Appendable}. Further calls do nothing.
   *
   * @throws IOException if the list cannot be written
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (file != null) {
      write(file);
    }
    if (to != null) {
      to.append(allowedNames());
    }
  }
}
