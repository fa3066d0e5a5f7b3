package dev.offcut.agent;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the command asks an agent that runs: the agent is loaded again, with {@code ?WORD,NAME} for
 * options, and leaves its answer in a system property of that name. No file is written, which
 * another user or a container could not read.
 */
public final class Request {
  /** Before a request. No option begins with it. */
  public static final String MARK = "?";

  /** The command reads an answer at once. */
  private static final long ANSWER_SECONDS = 30;

  private Request() {}

  /** Whether that, in the place of options, is a request. */
  public static boolean is(String given) {
    return given.startsWith(MARK);
  }

  /** What an agent knows. */
  public interface Answers {
    /** The answer to a word, in lines; null if the word is unknown. */
    @Nullable List<String> to(String word) throws ReflectiveOperationException;
  }

  /** Answers, if the request says where to. */
  public static void answer(String request, Answers answers) {
    int comma = request.indexOf(',');
    if (comma < 0) {
      Messages.say("the request " + request + " has no name for its answer: ?WORD,NAME; ignored");
      return;
    }
    String word = request.substring(MARK.length(), comma);
    String property = Presence.ANSWER + request.substring(comma + 1);
    System.setProperty(property, String.join("\n", lines(word, answers)));
    Thread forgets = new Thread(new Forget(property), "offcut answer");
    forgets.setDaemon(true);
    forgets.start();
  }

  private static List<String> lines(String word, Answers answers) {
    try {
      List<String> known = answers.to(word);
      return known == null
          ? List.of("the agent of this program does not know the request " + word)
          : known;
    } catch (ReflectiveOperationException e) {
      return List.of("there is no report (" + e + ")");
    }
  }

  /** Removes an answer after a while: it is not the program's. */
  private record Forget(String property) implements Runnable {
    @Override
    public void run() {
      try {
        TimeUnit.SECONDS.sleep(ANSWER_SECONDS);
      } catch (InterruptedException e) {
        // Somebody wants the threads to end: then the answer goes now.
      }
      System.clearProperty(property);
    }
  }
}
