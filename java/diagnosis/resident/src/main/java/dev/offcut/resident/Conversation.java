package dev.offcut.resident;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A question to another JVM, which ends with its answer or after a time without one. A JVM that is
 * stopped, frozen, or stuck at a safepoint never answers, and a read of its socket has no time
 * limit. So a question runs on a daemon thread, which is left behind if no answer comes.
 *
 * <p>A JVM that did not answer is not asked again within the next {@link #PATIENCE}: a command that
 * has many questions waits once. Any thread may ask.
 */
public final class Conversation {
  /** A JVM on a busy machine answers within a second; nobody wants to wait longer than that. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  /** When a process did not answer last, by its PID. */
  private static final Map<Long, Long> SILENT = new ConcurrentHashMap<>();

  /**
   * When something came last. Volatile: the thread that asks writes it, the one that waits reads.
   */
  private volatile long heardNanos = System.nanoTime();

  private Conversation() {}

  /** There was no answer in time. */
  public static final class Unanswered extends IOException {
    private static final long serialVersionUID = 1;

    private Unanswered(long pid, Duration patience) {
      super("the process " + pid + " has not answered for " + patience.toSeconds() + " s");
    }
  }

  /** A question that tells when a part of its answer has come. */
  interface Question<T> {
    T ask(Conversation conversation) throws Exception;
  }

  /**
   * Asks a process.
   *
   * @param pid whom it asks
   * @param patience how long it waits
   * @param question runs on another thread, also after this method has failed
   * @return the answer
   * @throws Unanswered if there is no answer in time, or there was none a short time ago
   * @throws ExecutionException with what the question threw
   */
  public static <T> T hold(long pid, Duration patience, Callable<T> question)
      throws Unanswered, ExecutionException {
    return ask(pid, patience, conversation -> question.call());
  }

  /** Likewise; the time begins anew with each part of an answer. */
  static <T> T ask(long pid, Duration patience, Question<T> question)
      throws Unanswered, ExecutionException {
    if (isSilent(pid)) {
      throw new Unanswered(pid, PATIENCE);
    }
    Conversation conversation = new Conversation();
    FutureTask<T> task = new FutureTask<>(() -> question.ask(conversation));
    Thread thread = new Thread(task, "offcut asks " + pid);
    thread.setDaemon(true);
    thread.start();
    try {
      while (true) {
        long left = patience.toNanos() - (System.nanoTime() - conversation.heardNanos);
        try {
          T answer = task.get(Math.max(0, left), TimeUnit.NANOSECONDS);
          SILENT.remove(pid);
          return answer;
        } catch (TimeoutException e) {
          if (System.nanoTime() - conversation.heardNanos >= patience.toNanos()) {
            noteSilent(pid);
            throw new Unanswered(pid, patience);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unanswered(pid, Duration.ZERO);
    }
  }

  /** A part of the answer has come. */
  void heard() {
    heardNanos = System.nanoTime();
  }

  /**
   * Notes that a process did not answer.
   *
   * @param pid which
   */
  public static void noteSilent(long pid) {
    SILENT.put(pid, System.nanoTime());
  }

  /**
   * Whether a process did not answer a short time ago.
   *
   * @param pid which
   * @return whether it would be of no use to ask it now
   */
  public static boolean isSilent(long pid) {
    Long since = SILENT.get(pid);
    return since != null && System.nanoTime() - since < PATIENCE.toNanos();
  }
}
