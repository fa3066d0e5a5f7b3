package dev.offcut.agent;

import dev.offcut.agent.publish.NativeMemory;

/**
 * What the command asks the agent that runs: the agent is loaded again, with {@code ?WORD,NAME} for
 * options, and leaves its answer in a system property of that name. No file is written, which
 * another user or a container could not read.
 */
public final class Request {
  /** Before a request. No option begins with it. */
  public static final String MARK = "?";

  /** Asks for a recording; the answer is the folder where its chunks are, or a sentence. */
  public static final String RECORD = "record";

  /** Asks to sample malloc; the answer is empty, or why that cannot be. */
  public static final String NATIVE = "native";

  /** Asks to sample malloc no more; the answer is empty. */
  public static final String NATIVE_OFF = "native.off";

  private Request() {}

  /** Whether that, in the place of options, is a request. */
  static boolean is(String given) {
    return given.startsWith(MARK);
  }

  /** Answers, if the request says where to. */
  static void answer(String request) {
    int comma = request.indexOf(',');
    if (comma < 0) {
      Messages.say("the request " + request + " has no name for its answer: ?WORD,NAME; ignored");
      return;
    }
    String word = request.substring(MARK.length(), comma);
    String property = Presence.ANSWER + request.substring(comma + 1);
    System.setProperty(property, answerTo(word));
  }

  private static String answerTo(String word) {
    return switch (word) {
      case RECORD -> Tracking.record();
      case NATIVE -> Tracking.sampleNative();
      case NATIVE_OFF -> {
        NativeMemory.stop();
        yield "";
      }
      default -> "the agent of this program does not know the request " + word;
    };
  }
}
