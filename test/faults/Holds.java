import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that is looked at. For each line on stdin it does something and answers: `open N` opens N direct buffers and keeps them,
 * `sites N` opens one in each of N stacks (up to 4,096), anything else is said back. It ends with 7 when stdin ends.
 */
public class Holds {
  private static final List<ByteBuffer> KEPT = new ArrayList<>();

  public static void main(String[] args) throws IOException {
    System.out.println("pid " + ProcessHandle.current().pid());
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      if (words[0].equals("open")) {
        for (int i = 0; i < Integer.parseInt(words[1]); i++) {
          KEPT.add(ByteBuffer.allocateDirect(1024));
        }
      } else if (words[0].equals("sites")) {
        sites(Integer.parseInt(words[1]));
      }
      System.out.println("done " + line);
    }
    System.out.println("ends");
    System.exit(7);
  }

  /** Each number has its own stack: a call to the left or to the right for each of its bits. */
  private static void sites(int count) {
    for (int i = 0; i < count; i++) {
      left(i, 12);
    }
  }

  private static void left(int bits, int depth) {
    next(bits, depth);
  }

  private static void right(int bits, int depth) {
    next(bits, depth);
  }

  private static void next(int bits, int depth) {
    if (depth == 0) {
      KEPT.add(ByteBuffer.allocateDirect(1024));
    } else if ((bits & 1) == 0) {
      left(bits >> 1, depth - 1);
    } else {
      right(bits >> 1, depth - 1);
    }
  }
}
